import { createHash, randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';

import { depth } from '../../harness/depth';
import { run } from '../../harness/engine';
import { send, useFileServer } from '../../harness/fileServer';
import { useNewGateways } from '../../harness/sandboxAccount';
import {
	type BinaryMode,
	ignoreLoads,
	keepFilesIn,
	onLoad,
	storedFile,
} from '../../harness/storedFiles';
import { turn, useVirtualTime } from '../../harness/virtualTime';
import { chat, deliveryWindow, messages, type Sending, sending } from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways();
const server = useFileServer();

const KILOBYTE = 1024;
/** A garbage collection follows each file. */
const MANY = depth(4, 20);

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function withFiles(
	files: Buffer[],
	about: (index: number) => Partial<IBinaryData> = () => ({}),
): Promise<INodeExecutionData[]> {
	return await Promise.all(
		messages(files.length).map(async (item, index) => ({
			...item,
			binary: { data: await storedFile(files[index]!, { fileName: 'a.bin', ...about(index) }) },
		})),
	);
}

const files = (count: number, size: number) =>
	Array.from({ length: count }, () => randomBytes(size));

const media = ({ fields, ...rest }: Sending) =>
	sending(gateway, { fields: { operation: 'sendMedia', mediaType: 'file', ...fields }, ...rest });

afterEach(ignoreLoads);

describe.each<[BinaryMode]>([['default'], ['filesystem'], ['database']])(
	'with files that n8n stores in mode %s',
	(mode) => {
		beforeEach(async () => await keepFilesIn(mode));

		test('sends files byte for byte, each with its own item', async () => {
			const contents = [...files(4, 50 * KILOBYTE), Buffer.from([0]), randomBytes(65_537 * 3)];
			const items = await withFiles(contents, (index) => ({ fileName: `${index}.bin` }));
			const { error } = await run(media({ items }));
			expect(error).toBeUndefined();
			const arrived = gateway
				.state()
				.delivered.sort((a, b) => a.chatId.localeCompare(b.chatId))
				.map(({ chatId, media: file }) => [chatId, file?.filename, file?.sha256]);
			expect(arrived).toEqual(
				contents.map((bytes, index) => [chat(index), `${index}.bin`, sha256(bytes)]),
			);
		});

		test('rejects a file that is too large before loading it, also without its size, as in older n8n', async () => {
			const load = jest.fn();
			onLoad(load);
			for (const [bytes, hasSize] of [
				[2 * KILOBYTE * KILOBYTE + 1, true],
				[2 * KILOBYTE * KILOBYTE + 1, false],
				[2 * KILOBYTE * KILOBYTE, true],
			] as const) {
				const items = await withFiles(files(1, bytes));
				if (!hasSize) delete items[0]!.binary!.data!.bytes;
				const { error } = await run(media({ items, options: { maxFileSize: 2 } }));
				const isAllowed = bytes === 2 * KILOBYTE * KILOBYTE;
				expect(error?.message).toBe(
					isAllowed
						? undefined
						: "The file in 'data' (Input Data Field Name) is larger than the 2 MB that 'Max File Size (MB)' allows [item 0]",
				);
				if (!isAllowed) expect(error?.description).toContain('raise the option');
				expect(load).toHaveBeenCalledTimes(isAllowed ? 1 : 0);
				expect(gateway.requests()).toHaveLength(isAllowed ? 1 : 0);
			}
		});

		test('allows 64 MB by default', async () => {
			const items = await withFiles(files(2, 100));
			const load = jest.fn();
			onLoad(load);
			items[0]!.binary!.data!.bytes = 64 * KILOBYTE * KILOBYTE;
			items[1]!.binary!.data!.bytes = 64 * KILOBYTE * KILOBYTE + 1;
			const settings = { onError: 'continueErrorOutput' } as const;
			const { errorItems } = await run(media({ items, settings }));
			// In default mode, the size of the data counts, not the size that the item names.
			expect(errorItems).toHaveLength(mode === 'default' ? 0 : 1);
			expect(load).toHaveBeenCalledTimes(mode === 'default' ? 2 : 1);
		});

		test('loads no more files at once than messages are in flight', async () => {
			const items = await withFiles(files(20, KILOBYTE));
			const unanswered: number[] = [];
			const answered = () => gateway.requests().filter(({ status }) => status === 200).length;
			onLoad(() => unanswered.push(unanswered.length + 1 - answered()));
			gateway.faults([{ latencyMs: 40 }]);
			const { error } = await run(media({ items, options: { concurrency: 4 } }));
			expect(error).toBeUndefined();
			expect(unanswered).toHaveLength(20);
			expect(Math.max(...unanswered)).toBe(4);
		});
	},
);

test('loads a file only after the response to the previous message of its chat', async () => {
	await keepFilesIn('filesystem');
	const items = await withFiles(files(5, KILOBYTE));
	const ahead: number[] = [];
	onLoad(() => ahead.push(gateway.requests().filter(({ status }) => status === 200).length));
	gateway.faults([{ latencyMs: 30 }]);
	await run(
		media({ items, fields: { operation: 'sendMedia', mediaType: 'file', chatId: chat(1) } }),
	);
	expect(ahead).toEqual([0, 1, 2, 3, 4]);
});

test.each([
	['chatId', '{"chatId":"1"}'],
	['media', '{"media":null}'],
	['idempotency_key', '{"idempotency_key":"x"}'],
])(
	'loads no file and sends nothing if Additional Fields has %s',
	async (name, additionalFields) => {
		await keepFilesIn('filesystem');
		const items = await withFiles(files(2, KILOBYTE));
		const load = jest.fn();
		onLoad(load);
		const key = { idempotencyKey: 'automatic' };
		const options = { additionalFields, ...deliveryWindow(1, 'minutes'), ...key };
		const { error } = await run(media({ items, options, fields: { caption: 'Your invoice' } }));
		expect(error?.message).toContain(
			`'Additional Fields' contains '${name}', which the node sets itself`,
		);
		expect(load).not.toHaveBeenCalled();
		expect(gateway.requests()).toEqual([]);
	},
);

/** Records how many files are in memory after each response. The run has MANY files, and two messages in flight. */
async function expectReleased(runWith: (onFile: (bytes: Buffer) => void) => Promise<unknown>) {
	const collect = garbageCollector();
	const loaded: Array<WeakRef<Buffer>> = [];
	const held: number[] = [];
	const stopChecking = afterResponses(() => {
		collect();
		held.push(loaded.filter((file) => file.deref() !== undefined).length);
	});
	await runWith((bytes) => void loaded.push(new WeakRef(bytes)));
	stopChecking();
	expect(loaded).toHaveLength(MANY);
	expect(held.length).toBeGreaterThan(MANY / 3);
	// Two in flight, and two whose requests are just being released.
	expect(Math.max(...held)).toBeLessThanOrEqual(4);
}

test('releases a file when it is sent', async () => {
	await keepFilesIn('database');
	const items = await withFiles(files(MANY, 200 * KILOBYTE));
	await expectReleased(async (onFile) => {
		onLoad(onFile);
		await run(media({ items, options: { concurrency: 2 } }));
	});
});

describe('files by URL', () => {
	const byUrl = (count: number, options: Record<string, unknown>) =>
		media({
			items: messages(count),
			fields: {
				operation: 'sendMedia',
				mediaType: 'file',
				mediaSource: 'url',
				mediaUrl: `=${server.url}/file.bin?chat={{ $json.to }}`,
			},
			options,
		});
	const size = 200 * KILOBYTE;

	test('downloads no more files at once than messages are in flight', async () => {
		const unanswered: number[] = [];
		const answered = () => gateway.requests().filter(({ status }) => status === 200).length;
		server.on('/file.bin', (_request, response) => {
			unanswered.push(server.requests.length - answered());
			send(response, randomBytes(size));
		});
		gateway.faults([{ latencyMs: 40 }]);
		const { error } = await run(byUrl(20, { concurrency: 4 }));
		expect(error).toBeUndefined();
		expect(unanswered).toHaveLength(20);
		expect(Math.max(...unanswered)).toBe(4);
	});

	test('releases a file when it is sent', async () => {
		server.on('/file.bin', (_request, response) => send(response, randomBytes(size)));
		const concat = Buffer.concat.bind(Buffer);
		await expectReleased(async (onFile) => {
			// Not a Jest mock: mocks keep their return values in memory.
			Buffer.concat = (...given) => {
				const bytes = concat(...given);
				if (bytes.length === size) onFile(bytes);
				return bytes;
			};
			expect((await run(byUrl(MANY, { concurrency: 2 }))).error).toBeUndefined();
		});
		Buffer.concat = concat;
	});
});

function garbageCollector(): () => void {
	setFlagsFromString('--expose-gc');
	return runInNewContext('gc') as () => void;
}

/** Runs between two turns of the event loop, so that no running code holds a reference. */
function afterResponses(check: () => void): () => void {
	let seen = 0;
	let isStopped = false;
	void (async () => {
		for (; !isStopped; await turn()) {
			const answers = gateway.requests().filter(({ status }) => status !== null).length;
			if (answers > seen) check();
			seen = answers;
		}
	})();
	return () => void (isStopped = true);
}
