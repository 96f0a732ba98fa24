import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { upperCaseWords } from '../../../gateway/inputValues';
import { InvalidInput } from '../../../gateway/invalidInput';
import { phaseOf } from '../../../gateway/replies/sessionStatus';

export const onlineStatuses: INodeProperties = {
	displayName: 'Online Statuses',
	name: 'onlineStatuses',
	type: 'string',
	default: 'ONLINE',
	placeholder: 'e.g. ONLINE, CONNECTED',
	description:
		'The statuses in which your gateway is ready to send, separated by commas. Without this option: ONLINE and its usual synonyms.',
};

/** Undefined if the option is not used. An option without a value must not fall back to the default. */
export const enteredStatuses = (options: IDataObject): unknown =>
	Object.hasOwn(options, 'onlineStatuses') ? (options.onlineStatuses ?? '') : undefined;

/** Whether a status means online. `entered` are the statuses of the option. */
export type OnlineTest = ((status: string) => boolean) & { entered?: string[] };

/** `entered` is undefined if the option is not used. */
export function onlineTest(entered: unknown): OnlineTest {
	if (entered === undefined) return (status) => phaseOf(status) === 'online';
	const words = upperCaseWords(entered, 'Online Statuses');
	if (words.length > 0) {
		return Object.assign((status: string) => words.includes(status), { entered: words });
	}
	throw new InvalidInput("'Online Statuses' is empty", 'Enter at least one status, e.g. ONLINE.');
}
