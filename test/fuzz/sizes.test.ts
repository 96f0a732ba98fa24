import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import fc from 'fast-check';

import { depth } from '../harness/depth';
import { run } from '../harness/engine';
import { ITEM, QUICK_OPERATIONS } from '../harness/operations';
import { fuzzTest, SIZE_CASES, useAccounts } from './cases';

const MB = 1024 * 1024;

let response: { status: number; body: Buffer };
const newAccount = useAccounts((request, answer) => {
	request.resume().on('end', () => answer.writeHead(response.status).end(response.body));
});

/** A text of at most `bytes` that consists of parts with commas between them. */
function list(part: (at: number) => string, bytes: number): string {
	const parts: string[] = [];
	for (let length = 0, at = 0; ; at++) {
		const next = part(at);
		length += next.length + 1;
		// A part can be long, and a response above the limit is refused.
		if (length > bytes && parts.length > 0) break;
		parts.push(next);
	}
	return parts.join();
}

/** Each with the operation that has most to do with it. */
const SHAPES: Record<string, [operation: string, (size: number) => string]> = {
	'line breaks': ['qr', (size) => '\n'.repeat(size)],
	'one long text': ['qr', (size) => `{"status":"ONLINE","qr":"${'A1'.repeat(size / 2)}"}`],
	'small objects': ['getAll', (size) => `[${list((at) => `{"id":${at}}`, size)}]`],
	'empty objects': ['send', (size) => `[${list(() => '{}', size)}]`],
	'empty objects as a field': ['ping', (size) => `{"data":[${list(() => '{}', size)}]}`],
	'empty texts': ['ping', (size) => `[${list(() => '""', size)}]`],
	numbers: ['ping', (size) => `[${list(() => '7', size)}]`],
	'numbers, one of which is rounded': [
		'send',
		(size) => `[12345678901234567,${list(() => '7', size)}]`,
	],
	keys: ['qrImage', (size) => `{${list((at) => `"k${at}":""`, size)}}`],
	'keys of deliveries': ['getAll', (size) => `{"deferred":{${list((at) => `"k${at}":{}`, size)}}}`],
	'nested lists': ['status', (size) => '['.repeat(size / 2) + ']'.repeat(size / 2)],
	'nested objects': ['get', (size) => '{"data":'.repeat(size / 9) + '1' + '}'.repeat(size / 9)],
	'lists of lists': [
		'qrImage',
		(size) => `[${list(() => `[${list(() => '["ab",{}]', 10_000)}]`, size)}]`,
	],
	'text without JSON': ['qrImage', (size) => 'word '.repeat(size / 5)],
	'one word': ['qr', (size) => 'A'.repeat(size)],
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const cpuMs = () => {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
};
const heldBytes = () => {
	collect();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
};
const peakBytes = () => process.resourceUsage().maxRSS * 1024;

/** What it takes to read a response with JSON.parse and to write it again, and the memory of the value. */
function baselineOf(body: Buffer) {
	const before = cpuMs();
	let value: unknown = body.toString();
	try {
		value = JSON.parse(value as string);
	} catch {
		// Not JSON.
	}
	try {
		JSON.stringify(value);
	} catch {
		// Too deep for JSON.stringify.
	}
	return { ms: cpuMs() - before, heldWith: heldBytes(), value };
}

interface Case {
	shape: string;
	megabytes: number;
	status: number;
	asTool: boolean;
	operation: Record<string, unknown>;
}

const runWith = async ({ operation, asTool }: Pick<Case, 'operation' | 'asTool'>) =>
	await run({
		account: newAccount(),
		parameters: { ...operation, options: { maxWait: 0, maxTries: 1 } },
		items: [ITEM],
		asTool,
	});

/** Other processes, the garbage collector and the compiler only add to a time, so the least of several is compared. */
const TRIES = 10;

/**
 * The limits are multiples of what a small response and JSON.parse take in the same process, so that they hold on every
 * machine. Correct code stays below half of them. One item per entry of a list exceeds them, and so
 * does looking at each text of a list for an image.
 */
async function expectLimits({ shape, megabytes, status, ...which }: Case): Promise<void> {
	const body = Buffer.from(SHAPES[shape]![1](megabytes * MB - 100));
	const size = body.length;
	for (let left = TRIES; left > 0; left--) {
		response = { status: 200, body: Buffer.from('{}') };
		const start = cpuMs();
		await runWith(which);
		const smallMs = cpuMs() - start;
		response = { status, body };
		const heldBefore = heldBytes();
		const { ms: baselineMs, heldWith } = baselineOf(body);
		const valueBytes = Math.max(0, heldWith - heldBefore);

		const peakBefore = peakBytes();
		const rssBefore = process.memoryUsage().rss;
		const before = cpuMs();
		const { items, error } = await runWith(which);
		const ms = cpuMs() - before;
		const peak = peakBytes();
		const held = heldBytes() - heldBefore;

		expect(items.length).toBeLessThanOrEqual(10_000);
		expect(error?.message ?? '').not.toMatch(/call stack|nested too deeply|too large/);
		expect(held).toBeLessThan(3 * valueBytes + 3 * size + 20 * MB);
		if (peak > peakBefore)
			expect(peak - rssBefore).toBeLessThan(6 * valueBytes + 10 * size + 300 * MB);
		const limitMs = 20 * (baselineMs + smallMs);
		if (ms < limitMs) return;
		if (left === 1) expect(ms).toBeLessThan(limitMs);
	}
}

const quick = QUICK_OPERATIONS.map(({ parameters }) => parameters);
const MEGABYTES = depth(0.05, 1);

test.each(Object.keys(SHAPES).slice(-depth(3, Infinity)))(
	`${MEGABYTES} MB of %s stays within the limits of time and memory`,
	async (shape) => {
		const [name] = SHAPES[shape]!;
		const operation = quick.find((candidate) => candidate.operation === name)!;
		await expectLimits({ shape, megabytes: MEGABYTES, status: 200, asTool: false, operation });
	},
);

if (SIZE_CASES > 0)
	fuzzTest(
		'responses of 1 to 16 MB stay within the limits of time and memory',
		fc.asyncProperty(
			fc.record({
				shape: fc.constantFrom(...Object.keys(SHAPES)),
				megabytes: fc.integer({ min: 1, max: 16 }),
				status: fc.constantFrom(200, 200, 200, 422, 500),
				asTool: fc.boolean(),
				operation: fc.constantFrom(...quick),
			}),
			expectLimits,
		),
		SIZE_CASES,
	);
