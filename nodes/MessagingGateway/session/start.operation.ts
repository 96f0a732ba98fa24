import { endpoints } from '../../../gateway/wire/endpoints';
import { plainItems } from '../request/items';
import type { Operation } from '../request/operation';
import { requestOperation } from '../request/routing';

export const start: Operation = {
	option: {
		name: 'Start',
		value: 'start',
		action: 'Start session',
		description: 'Start the session, the first step of pairing a phone',
	},
	...requestOperation(endpoints.start, { confirmation: 'started', read: plainItems }),
};
