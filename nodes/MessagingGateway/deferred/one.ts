import { deferredDelivery } from '../../../gateway/answer';
import { itemJson, plainItems, reading } from '../items';

const notFound = {
	message: 'There is no deferred delivery with this key',
	description:
		"It went out, was deleted, or its window ended. Deferred Delivery > Get Many lists those that still wait. If it should be there, check 'Base URL' and 'Token' of the credential.",
};

export const read = reading(
	(answer) => {
		const delivery = deferredDelivery(answer.data);
		return delivery ? [{ json: itemJson(delivery) }] : plainItems(answer);
	},
	{ notFound },
);

export const readDeleted = reading(() => [{ json: { deleted: true } }], { notFound });
