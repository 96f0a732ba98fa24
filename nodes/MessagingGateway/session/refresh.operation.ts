import { endpoints } from '../../../gateway/wire/endpoints';
import { plainItems } from '../request/items';
import type { Operation } from '../request/operation';
import { requestOperation } from '../request/routing';
import { deletionBody, withDeletion } from './withDeletion';

export const refresh: Operation = {
	option: {
		name: 'Refresh',
		value: 'refresh',
		action: 'Refresh session',
		description: 'Restart a session that hangs',
	},
	...requestOperation(endpoints.refresh, {
		request: deletionBody,
		confirmation: 'refreshed',
		read: plainItems,
	}),
	properties: [withDeletion],
};
