import { endpoints } from '../../../gateway/endpoints';
import { statusWord } from '../../../gateway/session';
import type { View } from './look';

/** The session's status, as a word in capitals. */
export const status: View<string> = {
	endpoint: endpoints.status,
	query: () => ({}),
	read: statusWord,
	missing: 'no status',
};
