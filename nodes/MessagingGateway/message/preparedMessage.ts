import type { Endpoint } from '../../../gateway/wire/endpoints';
import { checkRequest, isRehearsal } from '../../../gateway/wire/guard';
import type { Account } from '../request/account';

export interface PreparedMessage {
	endpoint: Endpoint;
	chat: string | undefined;
	hasKey: boolean;
	/** The body of each request: one, or several for a split text. */
	parts: Part[];
}

/** A body with a file is loaded for each attempt, because messages that wait would hold it in memory. */
export type Part =
	Buffer | { isDownload: boolean; withoutFile: Buffer; load: () => Promise<Buffer> };

/** Throws InvalidInput if the credential does not allow the message: earlier than the request hook, which would fail it, too. */
export function checkAllowed({ credentials }: Account, { endpoint, parts }: PreparedMessage): void {
	if (isRehearsal(credentials)) return;
	const [part] = parts;
	const body = Buffer.isBuffer(part) ? part : part?.withoutFile;
	checkRequest(credentials, endpoint.method, endpoint.path, body);
}
