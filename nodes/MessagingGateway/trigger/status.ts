import { endpoints } from '../../../gateway/wire/endpoints';
import { UNREADABLE_STATUS } from '../../../gateway/errors/sessionErrors';
import { statusResult, statusWord } from '../../../gateway/replies/sessionStatus';
import type { Source } from './event';

export const status: Source<string> = {
	endpoint: endpoints.status,
	query: () => ({}),
	accept: statusResult,
	read: (response) => statusWord(response),
	unreadable: UNREADABLE_STATUS,
};
