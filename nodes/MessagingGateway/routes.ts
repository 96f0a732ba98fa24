import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Endpoint } from '../../gateway/endpoints';
import { notToBeSent, readBy } from './exchange';
import type { Reading } from './items';

type Routing = NonNullable<INodePropertyOptions['routing']>;
type PreSend = NonNullable<NonNullable<Routing['send']>['preSend']>[number];

/** Routing of one operation: where it goes, what is done to the request, how its answer is read. */
export function route(
	{ method, path }: Endpoint,
	{ before, after }: { before?: PreSend; after: Reading },
): Routing {
	return {
		request: { method, url: path },
		send: {
			preSend: [...(before ? [guarded(before)] : []), async (request) => readBy(request, after)],
		},
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
