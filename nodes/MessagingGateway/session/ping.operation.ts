import { endpoints } from '../../../gateway/wire/endpoints';
import { plainItems } from '../request/items';
import type { Operation } from '../request/operation';
import { requestOperation } from '../request/routing';

export const ping: Operation = {
	option: {
		name: 'Ping',
		value: 'ping',
		action: 'Ping gateway',
		description: 'Check that the gateway responds and knows the token',
	},
	...requestOperation(endpoints.ping, { read: plainItems }),
};
