import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Endpoint } from '../../gateway/endpoints';
import { notAnswered } from './refusals';

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

/** What a person entered and cannot be sent is said in n8n's own form, with the item it came from. */
function guarded(before: PreSend): PreSend {
	return async function (request) {
		try {
			return await before.call(this, request);
		} catch (error) {
			throw notAnswered(this.getNode(), this.getItemIndex(), error);
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
