import type { Delivery } from '../../../gateway/responses/deliveries';

const MAX_STORED_BYTES = 500;
const MAX_KEY_BYTES = 200;
/** Limits the time that 10,000 deliveries take. More fields would hardly fit anyway. */
const MAX_FIELDS = 20;
const SHORTEST = 20;
/** Lists the lengths to which long texts are cut, one after the other, until they fit. */
const LENGTHS = [Infinity, 200, 100, 50, SHORTEST];

/** Returns the size in n8n's database. n8n stores the trigger's JSON text as a value in its own JSON, which escapes every quote again. */
const storedBytes = (value: unknown) =>
	Buffer.byteLength(JSON.stringify(JSON.stringify(value))) - 2;

/** Returns the fields of a delivery other than its key. */
export function withoutKey({ key, fields }: Delivery): Record<string, unknown> {
	const { deliveryKey, ...others } = fields;
	const isKey = ([undefined, key, Number(key)] as unknown[]).includes(deliveryKey);
	return isKey ? others : fields;
}

/** Returns the most useful fields of a delivery in at most 500 bytes. It leaves out files and nested values first, then cuts texts. */
export function storedDelivery(delivery: Delivery): Delivery {
	const whole = { key: delivery.key, fields: withoutKey(delivery) };
	if (storedBytes(whole) <= MAX_STORED_BYTES) return whole;
	// The shortest key always fits, even if every character takes seven bytes.
	const keys = LENGTHS.map((length) => cutTo(delivery.key, length));
	const key = keys.find((text) => storedBytes(text) <= MAX_KEY_BYTES)!;
	const plain = Object.entries(whole.fields).filter(isShownField).slice(0, MAX_FIELDS);
	for (const length of LENGTHS) {
		const short = { key, fields: cutTexts(plain, length) };
		if (storedBytes(short) <= MAX_STORED_BYTES) return short;
	}
	return plain.reduce<Delivery>(
		(short, entry) => {
			const longer = { key, fields: { ...short.fields, ...cutTexts([entry], SHORTEST) } };
			return storedBytes(longer) <= MAX_STORED_BYTES ? longer : short;
		},
		{ key, fields: {} },
	);
}

/** Cuts a text, but does not split a surrogate pair. */
function cutTo(text: string, length: number): string {
	if (text.length <= length) return text;
	return `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
}

const cutTexts = (fields: Array<[string, unknown]>, length: number) =>
	Object.fromEntries(
		fields.map(([name, value]) => [name, typeof value === 'string' ? cutTo(value, length) : value]),
	);

const BASE64_FILE = /^(data:[^,]*,)?[\w+/\r\n-]{64,}={0,2}$/;

const isShownField = ([, value]: [string, unknown]) =>
	typeof value === 'string'
		? !BASE64_FILE.test(value.trimEnd())
		: typeof value !== 'object' || value === null;
