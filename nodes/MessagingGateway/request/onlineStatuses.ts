import { NOT_SET, upperCaseWords } from '../../../gateway/inputValues';
import { InvalidInput } from '../../../gateway/invalidInput';
import { phaseOf } from '../../../gateway/replies/sessionStatus';
import { text } from '../fields/field';
import type { Read } from '../fields/read';

export const onlineStatuses = text('onlineStatuses', 'Online Statuses', {
	default: 'ONLINE',
	example: 'ONLINE, CONNECTED',
})(
	'The statuses in which your gateway is ready to send, separated by commas. Without this option: ONLINE and its usual synonyms.',
);

/** Whether a status means online. `entered` are the statuses of the option. */
export type OnlineTest = ((status: string) => boolean) & { entered?: string[] };

export function onlineTest(option: Read): OnlineTest {
	const entered = option('onlineStatuses');
	if (entered === NOT_SET) return (status) => phaseOf(status) === 'online';
	const words = upperCaseWords(entered, 'Online Statuses');
	if (words.length > 0) {
		return Object.assign((status: string) => words.includes(status), { entered: words });
	}
	throw new InvalidInput("'Online Statuses' is empty", 'Enter at least one status, e.g. ONLINE.');
}
