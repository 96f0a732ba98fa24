import type { Endpoint } from '../../../gateway/wire/endpoints';

export interface PreparedMessage {
	endpoint: Endpoint;
	chat: string | undefined;
	hasKey: boolean;
	/** The body of each request: one, or several for a split text. */
	parts: Part[];
}

/** A body with a file is loaded for each attempt, because messages that wait would hold it in memory. */
export type Part = Buffer | { isDownload: boolean; load: () => Promise<Buffer> };
