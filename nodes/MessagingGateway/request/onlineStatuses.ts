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

/** `entered` is undefined if the option is not used. */
export function onlineTest(entered: unknown): (status: string) => boolean {
	if (entered === undefined) return (status) => phaseOf(status) === 'online';
	const words = upperCaseWords(entered, 'Online Statuses');
	if (words.length > 0) return (status) => words.includes(status);
	throw new InvalidInput("'Online Statuses' is empty", 'Enter at least one status, e.g. ONLINE.');
}
