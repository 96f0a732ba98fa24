import { endpoints } from '../../../gateway/endpoints';
import { statusWord, UNREADABLE_STATUS } from '../../../gateway/session';
import type { View } from './look';

/** The session's status, as a word in capitals. */
export const status: View<string> = {
	endpoint: endpoints.status,
	query: () => ({}),
	read: (answer) => statusWord(answer),
	unreadable: UNREADABLE_STATUS,
};
