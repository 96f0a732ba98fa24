import type { Bubble, Chat, PhoneView } from '../view';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const clockWithSeconds = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const shortDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const longDay = new Intl.DateTimeFormat(undefined, {
	weekday: 'long',
	day: 'numeric',
	month: 'long',
});

export const kindNames = { person: 'Person', group: 'Group', channel: 'Channel' } as const;

/** IDs of groups and channels are long and start alike, so only their end is shown. */
export function chatTitle({ id, kind }: Pick<Chat, 'id' | 'kind'>): string {
	if (kind === 'person') return formatPhoneNumber(id);
	const [number = id] = id.split('@');
	return `${kindNames[kind]} …${number.slice(-6)}`;
}

/** Calling codes of one and two digits. All others have three. */
const SHORT_CODES = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;
const GROUPS: Record<number, number[]> = {
	8: [4, 4],
	9: [3, 3, 3],
	10: [4, 6],
	11: [4, 3, 4],
	12: [4, 4, 4],
};

/** Spaced by length, because the page has no table of all countries. */
export function formatPhoneNumber(digits: string): string {
	const code = SHORT_CODES.exec(digits)?.[0] ?? digits.slice(0, 3);
	let rest = digits.slice(code.length);
	const groups = [`+${code}`];
	const sizes = code.length === 1 && rest.length === 10 ? [3, 3, 4] : (GROUPS[rest.length] ?? []);
	for (const size of sizes) {
		groups.push(rest.slice(0, size));
		rest = rest.slice(size);
	}
	return [...groups, ...(rest ? [rest] : [])].join(' ');
}

export function chatSubtitle({ id, kind, count }: Chat): string {
	return `${kind === 'person' ? kindNames.person : id}, ${plural(count, 'message')}`;
}

export function preview({ text, file, kind }: Bubble): string {
	if (text !== undefined) return text;
	return kind === 'picture' ? 'Image' : (file?.name ?? '');
}

export function formatTime(at: string): string {
	return clock.format(new Date(at));
}

export function formatTimeWithSeconds(at: string): string {
	return clockWithSeconds.format(new Date(at));
}

export function formatDay(at: string): string {
	const date = new Date(at);
	return isToday(date) ? 'Today' : longDay.format(date);
}

export function formatTimeOrDay(at: string): string {
	const date = new Date(at);
	return isToday(date) ? clock.format(date) : shortDay.format(date);
}

function isToday(date: Date): boolean {
	return date.toDateString() === new Date().toDateString();
}

export function formatTimeLeft(until: string): string {
	const left = Date.parse(until) - Date.now();
	if (left <= 0) return 'expired';
	if (left < MINUTE) return `${Math.ceil(left / SECOND)} s left`;
	if (left < HOUR)
		return `${Math.floor(left / MINUTE)} min ${Math.floor((left % MINUTE) / SECOND)} s left`;
	if (left < DAY)
		return `${Math.floor(left / HOUR)} h ${Math.floor((left % HOUR) / MINUTE)} min left`;
	return `${plural(Math.floor(left / DAY), 'day')} left`;
}

export function formatSize(bytes: number): string {
	if (bytes < 1_000) return plural(bytes, 'byte');
	if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} kB`;
	return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function plural(count: number, noun: string): string {
	return `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`;
}

export function statusLabel({ status, paired }: PhoneView): string {
	if (status === 'ONLINE') return 'Online';
	if (status === 'AWAITING_QR') return 'Waiting for a scan';
	if (status === 'AUTH_FAILURE') return 'Logged out';
	return paired ? 'Offline' : 'Session not started';
}
