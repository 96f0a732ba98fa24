import { createHash, randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';

import { depth } from '../../harness/depth';
import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import {
	type BinaryMode,
	ignoreLoads,
	keepFilesIn,
	onLoad,
	storedFile,
} from '../../harness/storedFiles';
import { turn, useVirtualTime } from '../../harness/virtualTime';
import { chat, messages, type Sending, sending } from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways();

const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;
const SIZE = 200 * KILOBYTE;
/** A garbage collection follows each file. */
const MANY = depth(4, 20);

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const withFiles = async (files: Buffer[]): Promise<INodeExecutionData[]> =>
	await Promise.all(
		messages(files.length).map(async (item, index) => ({
			...item,
			binary: { data: await storedFile(files[index]!, { fileName: `${index}.bin` }) },
		})),
	);

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
			const { error } = await run(media({ items: await withFiles(contents) }));
			expect(error).toBeUndefined();
			const arrived = gateway
				.state()
				.delivered.sort((a, b) => a.chatId.localeCompare(b.chatId))
				.map(({ chatId, media: file }) => [chatId, file?.filename, file?.sha256]);
			expect(arrived).toEqual(
				contents.map((bytes, index) => [chat(index), `${index}.bin`, sha256(bytes)]),
			);
		});

		// In default mode, the size of the data counts, not the size that the item names.
		test.each<[number, { maxFileSize?: number }, Partial<IBinaryData>, isAllowed: boolean]>([
			[2 * MEGABYTE, { maxFileSize: 2 }, {}, true],
			[2 * MEGABYTE + 1, { maxFileSize: 2 }, {}, false],
			// As in older n8n.
			[2 * MEGABYTE + 1, { maxFileSize: 2 }, { bytes: undefined }, false],
			[100, {}, { bytes: 64 * MEGABYTE }, true],
			[100, {}, { bytes: 64 * MEGABYTE + 1 }, mode === 'default'],
		])('a file of %i bytes with %j and %j: %s', async (bytes, options, about, isAllowed) => {
			const load = jest.fn();
			onLoad(load);
			const [item] = await withFiles(files(1, bytes));
			Object.assign(item!.binary!.data!, about);
			const { error } = await run(media({ items: [item!], options }));
			const limit = options.maxFileSize ?? 64;
			expect(error?.message).toBe(
				isAllowed
					? undefined
					: `The file in 'data' (Input Data Field Name) is larger than the ${limit} MB that 'Max File Size (MB)' allows [item 0]`,
			);
			if (!isAllowed) expect(error?.description).toContain('raise the option');
			expect(load).toHaveBeenCalledTimes(isAllowed ? 1 : 0);
			expect(gateway.requests()).toHaveLength(isAllowed ? 1 : 0);
		});
	},
);

// So no file is loaded before its turn.
test('files are released when they are sent', async () => {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	const loaded: Array<WeakRef<Buffer>> = [];
	/** How many files are in memory after each response. */
	const held: number[] = [];
	await keepFilesIn('database');
	const items = await withFiles(files(MANY, SIZE));
	onLoad((bytes) => void loaded.push(new WeakRef(bytes)));
	const stopChecking = afterResponses(() => {
		collect();
		held.push(loaded.filter((file) => file.deref() !== undefined).length);
	});
	const { error } = await run(media({ items, options: { concurrency: 2 } }));
	stopChecking();
	expect(error).toBeUndefined();
	expect(loaded).toHaveLength(MANY);
	expect(held.length).toBeGreaterThan(MANY / 3);
	// Two in flight, and two whose requests are just being released.
	expect(Math.max(...held)).toBeLessThanOrEqual(4);
});

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
