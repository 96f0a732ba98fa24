import { deferredDelivery } from '../../../gateway/replies/deliveries';
import { endpoints } from '../../../gateway/wire/endpoints';
import { itemJson } from '../request/items';
import type { Operation } from '../request/operation';
import { requestOperation } from '../request/routing';
import { deliveryKey, deliveryUrl, notFound } from './deliveryKey';

const NO_DELIVERY = {
	message: 'The response of the gateway contains no deferred delivery',
	description: `There may be none with this key. ${notFound.description}`,
};

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get deferred delivery',
		description: 'Get a deferred delivery by its key',
	},
	...requestOperation(endpoints.getDeferred, {
		request: deliveryUrl(endpoints.getDeferred),
		read({ data }) {
			const delivery = deferredDelivery(data);
			return delivery ? [{ json: itemJson(delivery) }] : NO_DELIVERY;
		},
		notFound,
	}),
	properties: [deliveryKey],
};
