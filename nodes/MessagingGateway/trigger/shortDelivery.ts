import type { Delivery } from '../../../gateway/replies/deliveries';
import { withoutKey } from './deliveryList';

const MAX_BYTES = 500;
const MAX_KEY_BYTES = 200;
/** Limits the time for 10,000 deliveries; more fields hardly fit anyway. */
const MAX_FIELDS = 20;
/** The lengths to cut long texts to, until they fit. */
const TEXT_LENGTHS = [200, 100, 50, 20];

const BRACES = 2;
const COMMA = 1;

/** n8n stores the trigger's JSON text as a value in its own JSON, where every quote takes another byte. */
const storedBytes = (value: unknown) =>
	Buffer.byteLength(JSON.stringify(JSON.stringify(value))) - 2;

/** The most useful fields of a delivery, in at most 500 bytes. Leaves out files and nested values, then cuts texts. */
export function shortDelivery(delivery: Delivery): Delivery {
	const fields = withoutKey(delivery);
	const whole = { key: delivery.key, fields };
	if (storedBytes(whole) <= MAX_BYTES) return whole;
	const key = cut(delivery.key, keyLength(delivery.key));
	const room = MAX_BYTES - storedBytes({ key, fields: {} });
	return { key, fields: fit(plainFields(fields), room) };
}

/** A key is stored in full, unless it is too long for one. */
function keyLength(key: string): number {
	const lengths = [key.length, ...TEXT_LENGTHS, 10];
	return lengths.find((length) => storedBytes(cut(key, length)) <= MAX_KEY_BYTES) ?? 0;
}

/** Does not split a surrogate pair. */
function cut(text: string, length: number): string {
	if (text.length <= length) return text;
	return `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
}

const FILE = /^(data:[^,]*,)?[\w+/\r\n-]{64,}={0,2}$/;

const isPlain = (value: unknown) =>
	typeof value === 'string'
		? !FILE.test(value.trimEnd())
		: typeof value !== 'object' || value === null;

const plainFields = (fields: Record<string, unknown>) =>
	Object.fromEntries(
		Object.entries(fields)
			.filter(([, value]) => isPlain(value))
			.slice(0, MAX_FIELDS),
	);

function fit(fields: Record<string, unknown>, room: number): Record<string, unknown> {
	let short = fields;
	for (const length of TEXT_LENGTHS) {
		if (storedBytes(short) - BRACES <= room) return short;
		short = Object.fromEntries(
			Object.entries(fields).map(([name, value]) => [
				name,
				typeof value === 'string' ? cut(value, length) : value,
			]),
		);
	}
	let left = room;
	const fits = (entry: [string, unknown]) => {
		const bytes = storedBytes(Object.fromEntries([entry])) - BRACES + COMMA;
		if (bytes > left) return false;
		left -= bytes;
		return true;
	};
	return Object.fromEntries(Object.entries(short).filter(fits));
}
