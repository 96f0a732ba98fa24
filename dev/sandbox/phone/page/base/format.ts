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
