import { endpoints } from '../../../gateway/wire/endpoints';
import type { Operation } from '../request/operation';
import { requestOperation } from '../request/routing';
import { deliveryKey, deliveryUrl, notFound } from './deliveryKey';

export const deleteDelivery: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete deferred delivery',
		description: 'Delete a deferred delivery permanently',
	},
	...requestOperation(endpoints.deleteDeferred, {
		request: deliveryUrl(endpoints.deleteDeferred),
		confirmation: 'deleted',
		read: () => [{ json: { deleted: true } }],
		notFound,
	}),
	properties: [deliveryKey],
};
