import { deferredDelivery } from '../../../gateway/replies/deliveries';
import { endpoints } from '../../../gateway/endpoints';
import { itemJson, plainItems } from '../request/items';
import type { Operation } from '../request/operation';
import { requestOperation } from '../request/routing';
import { deliveryKey, deliveryUrl, notFound } from './deliveryKey';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get deferred delivery',
		description: 'Get a deferred delivery by its key',
	},
	...requestOperation(endpoints.getDeferred, {
		request: deliveryUrl(endpoints.getDeferred),
		read(response, context) {
			const delivery = deferredDelivery(response.data);
			return delivery ? [{ json: itemJson(delivery) }] : plainItems(response, context);
		},
		notFound,
	}),
	properties: [deliveryKey],
};
