import type { INodeProperties } from 'n8n-workflow';

import { InvalidInput } from '../../gateway/invalidInput';
import { phaseOf } from '../../gateway/session';
import { wordsIn } from './enteredValues';

/** What somebody waits for, or misses. */
export const onlineStatuses: INodeProperties = {
	displayName: 'Online Statuses',
	name: 'onlineStatuses',
	type: 'string',
	default: 'ONLINE',
	placeholder: 'e.g. ONLINE, CONNECTED',
	description:
		'What your gateway calls a session that is ready to send; several with commas. Without this option: ONLINE and its usual synonyms.',
};

/** Undefined is what nobody has chosen. */
export function onlineTest(entered: unknown): (status: string) => boolean {
	if (entered === undefined) return (status) => phaseOf(status) === 'online';
	const words = wordsIn(entered, 'Online Statuses');
	if (words.length > 0) return (status) => words.includes(status);
	throw new InvalidInput("'Online Statuses' is empty", 'Enter at least one, e.g. ONLINE.');
}
