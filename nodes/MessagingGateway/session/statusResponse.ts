import { rejectionHasStatus } from '../../../gateway/sessionStatus';
import type { RequestResult } from '../request/sendRequest';

/** Accepts an error response that reports the session's status. */
export const statusResponse = (sent: RequestResult): RequestResult =>
	'failure' in sent && sent.failure.kind === 'rejected' && rejectionHasStatus(sent.failure.response)
		? { response: sent.failure.response }
		: sent;
