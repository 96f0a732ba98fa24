import { endpoints } from '../../../gateway/wire/endpoints';
import { plainItems } from '../request/items';
import type { Operation } from '../request/operation';
import { requestOperation } from '../request/routing';
import { deletionBody, withDeletion } from './withDeletion';

export const terminate: Operation = {
	option: {
		name: 'Terminate',
		value: 'terminate',
		action: 'Terminate session',
		description: 'End a session that is broken or logged out',
	},
	...requestOperation(endpoints.terminate, {
		request: deletionBody,
		confirmation: 'terminated',
		read: plainItems,
	}),
	properties: [withDeletion],
};
