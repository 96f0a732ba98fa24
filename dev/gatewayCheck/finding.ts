import type { GatewayResponse } from '../../gateway/wire/response';
import type { Exchange } from './gateway';

/** What the check found out about one open question of docs/gateway-api.md. */
export interface Finding {
	question: string;
	answer: string;
	/** What the package assumes or does. */
	assumption: string;
	/** Whether the gateway behaves differently. */
	differs: boolean;
	exchanges: Exchange[];
}

/** A question that stays open. */
export interface NotChecked {
	question: string;
	reason: string;
}

export type Result = Finding | NotChecked;
export type Found = Omit<Finding, 'question'>;

export interface Check<Subject> {
	question: string;
	run: (subject: Subject) => Promise<Found | Omit<NotChecked, 'question'>>;
}

const REJECTED = [401, 403];

/** Whether the gateway accepted token and signature. An error about the content of a request comes after that. */
export const isAuthorized = ({ response }: Exchange): boolean =>
	response !== undefined && !REJECTED.includes(response.status);

/** A short name for the result: a status, or why there is none. */
export const resultOf = ({ response, failure }: Exchange): string =>
	response ? String(response.status) : (failure ?? 'no response');

export const responseOf = ({ response }: Exchange): GatewayResponse =>
	response ?? { status: 0, headers: {}, bytes: Buffer.alloc(0), data: undefined };
