import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Endpoint } from '../../gateway/endpoints';
import { notToBeSent } from './exchange';

type Routing = NonNullable<INodePropertyOptions['routing']>;
type PreSend = NonNullable<NonNullable<Routing['send']>['preSend']>[number];
type PostReceive = NonNullable<NonNullable<Routing['output']>['postReceive']>[number];

/** Routing of one operation: where it goes, what is done to the request, how its answer is read. */
export function route(
	{ method, path }: Endpoint,
	{ before, after }: { before?: PreSend; after: PostReceive },
): Routing {
	return {
		request: { method, url: path },
		...(before ? { send: { preSend: [guarded(before)] } } : {}),
		output: { postReceive: [after] },
	};
}

/** Thrown here, what cannot be sent would leave without the item it came from. */
function guarded(before: PreSend): PreSend {
	return async function (request) {
		try {
			return await before.call(this, request);
		} catch (error) {
			return notToBeSent(request, error);
		}
	};
}

export function operationPicker(
	resource: string,
	options: INodePropertyOptions[],
	chosen: string,
): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options,
		default: chosen,
	};
}
