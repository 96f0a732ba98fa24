import { existsSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { INodeExecutionData } from 'n8n-workflow';
import { format } from 'prettier';

import type { RunOptions } from '../../test/harness/engine';
import {
	built,
	CONCURRENCY,
	countOutOfOrder,
	createTexts,
	execute,
	filesOnDisk,
	itemsOf,
	MEGABYTE,
	SEND,
	type Senders,
	sendersTo,
	type Text,
	version,
} from './engine';
import { type Gateway, startGateway } from './gateway';
import { measure, type Result, type Sample, sampleTable, type Series, targetTable } from './series';

/** `npm start` creates this file when the installation is complete. */
const INSTALLED = join(__dirname, '../live/node_modules/.complete');
// A short run, which checks that the benchmark works. Its figures are not meaningful.
const { quick } = parseArgs({ options: { quick: { type: 'boolean', default: false } } }).values;
const TEXTS = quick ? 200 : 1_000;
const ROUNDS = quick ? 2 : 5;
const MANY = quick ? 2_000 : 100_000;
const FILES = { count: quick ? 12 : 100, megabytes: 8, concurrency: 4 };
const LATENCIES = [0, 5, 50];
const MEMORY_SAMPLES = 20;

async function main(): Promise<void> {
	const gateway = await startGateway();
	const results: Result[] = [];
	for (const series of [
		...LATENCIES.map((latencyMs) => inEngine(gateway, latencyMs)),
		manyItems(gateway),
		files(gateway),
	]) {
		results.push(await measure(series, ROUNDS));
	}
	const n8nVersion = existsSync(INSTALLED) ? await inRealN8n(gateway, results) : undefined;
	const page = await format(pageOf(results, n8nVersion), { parser: 'markdown' });
	console.log(`\n${page}`);
	writeFileSync(join(quick ? tmpdir() : __dirname, 'results.md'), page);
	console.log('1 passed, 0 failed');
	process.exit();
}

/** Sends the texts with each sender, and counts those that arrive out of order. */
const casesOf = (gateway: Gateway, latencyMs: number, texts: Text[], senders: Senders) =>
	Object.entries(senders).map(([name, send]) => ({
		name,
		run: async (): Promise<Sample> => {
			await gateway.reset(latencyMs);
			const { ms, cpuMs } = await send(texts);
			const cost = { ms: ms / texts.length, cpuMs: cpuMs / texts.length };
			if (name === 'Telegram') return cost;
			return { ...cost, outOfOrder: countOutOfOrder(texts, await gateway.delivered()) };
		},
	}));

function inEngine(gateway: Gateway, latencyMs: number): Series {
	const reason = 'without an isolate, most of the time of both is n8n, axios and Node.js';
	// At 50 ms, both nodes only wait.
	const atMost = latencyMs === 50 ? 1.05 : 0.9;
	return {
		title: `n8n's engine, ${latencyMs} ms latency`,
		// The JIT compiler needs a few thousand messages to optimize the code.
		warmUps: quick ? 1 : 2,
		cases: casesOf(gateway, latencyMs, createTexts(TEXTS), sendersTo(gateway.account)),
		targets: [
			{ measure: 'ms', of: 'ours', to: 'floor', atMost, reason },
			{ measure: 'outOfOrder', of: 'ours', atMost: 0 },
		],
	};
}

/** Adds the series of the n8n that `npm start` installed, and returns its version. */
async function inRealN8n(gateway: Gateway, results: Result[]): Promise<string> {
	const { startRealN8n, version } = await import('./realN8n.mjs');
	const n8n = await startRealN8n(gateway);
	// In a CPU profile of Send in n8n's engine.
	const reason = 'a sixth of it is this package; the rest is n8n, axios and Node.js';
	const targets: Record<number, Series['targets']> = {
		0: [
			{ measure: 'ms', of: 'ours', to: 'chain', atMost: 0.28, reason },
			{ measure: 'cpuMs', of: 'ours', to: 'chain', atMost: 0.28, reason },
			{ measure: 'ms', of: 'ours', to: 'Telegram', atMost: 0.16, reason },
		],
		5: [{ measure: 'ms', of: 'ours', to: 'chain', atMost: 0.6 }],
		50: [{ measure: 'ms', of: 'ours, concurrency 50', to: 'chain', atMost: 1.2 }],
	};
	try {
		for (const latencyMs of LATENCIES) {
			// Where a text takes longer, fewer texts have to do.
			const texts = createTexts({ 0: TEXTS, 5: TEXTS / 2 }[latencyMs] ?? TEXTS / 5);
			const cases = casesOf(gateway, latencyMs, texts, await n8n.senders(latencyMs));
			const title = `A real n8n, ${latencyMs} ms latency`;
			results.push(await measure({ title, cases, targets: targets[latencyMs]! }, ROUNDS));
		}
	} finally {
		await n8n.stop();
	}
	return version;
}

function manyItems(gateway: Gateway): Series {
	const few = `${TEXTS} items`;
	const many = `${MANY} items`;
	const { ours } = sendersTo(gateway.account);
	const ofRuns = (count: number, runs: number) => async (): Promise<Sample> => {
		const texts = createTexts(count * runs);
		await gateway.reset(0);
		const total = { ms: 0, cpuMs: 0 };
		for (let start = 0; start < texts.length; start += count) {
			const items = texts.slice(start, start + count);
			const cost = await ours(items);
			total.ms += cost.ms / texts.length;
			total.cpuMs += cost.cpuMs / texts.length;
		}
		countOutOfOrder(texts, await gateway.delivered());
		return total;
	};
	return {
		title: 'Items in one run',
		warmUps: 0,
		// The larger number takes minutes.
		rounds: 2,
		cases: [
			// Short runs: each sample is the mean of several.
			{ name: few, run: ofRuns(TEXTS, 5) },
			{ name: many, run: ofRuns(MANY, 1) },
			{
				name: `memory of ${many}`,
				run: async () => await liveMemory(gateway, itemsOf(createTexts(MANY)), SEND),
			},
		],
		targets: [
			{ measure: 'ms', of: many, to: few, atMost: 1.2 },
			{ measure: 'cpuMs', of: many, to: few, atMost: 1.2 },
			{ measure: 'megabytes', of: `memory of ${many}`, atMost: 50 },
		],
	};
}

/** Heap and buffers: the most at any of the requests that are looked at, without n8n's items. */
async function liveMemory(
	{ account, reset }: Gateway,
	items: INodeExecutionData[],
	parameters: RunOptions['parameters'],
): Promise<Sample> {
	const every = Math.ceil(items.length / MEMORY_SAMPLES);
	const samples: Array<{ sent: number; live: number }> = [];
	const credentialType = new built.MessagingGatewayApi();
	const { authenticate } = credentialType;
	if (typeof authenticate !== 'function') throw new Error('The credential has no function.');
	let sent = 0;
	credentialType.authenticate = async (...given) => {
		sent += 1;
		if (sent % every === 0) samples.push({ sent, live: liveMegabytes() });
		return await authenticate(...given);
	};
	await reset(0);
	const before = liveMegabytes();
	const startedAt = performance.now();
	const output = await execute({ account, credentialType, items, parameters });
	const ms = (performance.now() - startedAt) / items.length;
	const grown = liveMegabytes() - before;
	if (output.length !== items.length) throw new Error('Some items are missing.');
	// The output items grow with each message.
	const own = samples.map(({ sent, live }) => live - before - (grown * sent) / items.length);
	return { ms, megabytes: Math.max(...own) };
}

function liveMegabytes(): number {
	globalThis.gc!();
	const { heapUsed, external } = process.memoryUsage();
	return (heapUsed + external) / MEGABYTE;
}

function files(gateway: Gateway): Series {
	const { count, megabytes, concurrency } = FILES;
	const texts = createTexts(count);
	const size = megabytes * MEGABYTE;
	const message = { resource: 'message', operation: 'sendMedia', mediaType: 'file' };
	const media = { ...message, chatId: SEND.chatId, advancedOptions: { concurrency } };
	const onDisk = { ...media, mediaSource: 'binary', binaryPropertyName: 'data' };
	const byUrl = { ...media, mediaSource: 'url', mediaUrl: `${gateway.filesUrl}/${size}` };
	return {
		title: `Files: ${count} of ${megabytes} MB, concurrency ${concurrency}`,
		cases: [
			{
				name: 'on disk',
				run: async () => await liveMemory(gateway, await filesOnDisk(texts, size), onDisk),
			},
			{
				name: 'by URL',
				run: async () => await liveMemory(gateway, itemsOf(texts), byUrl),
			},
		],
		targets: ['on disk', 'by URL'].map((of) => {
			return { measure: 'megabytes', of, atMost: 2.5 * megabytes * concurrency };
		}),
	};
}

const pageOf = (results: Result[], n8nVersion: string | undefined) => `# Benchmark results

Written by \`npm run bench\`. Figures are medians of the rounds, with the least and the most of them in parentheses. A ratio is the median of the ratios per round.

- Node.js ${process.versions.node}, ${availableParallelism()} CPUs
- Load average of the five minutes before the start: ${process.env.LOAD_AVERAGE}
- n8n-core ${version}, which runs expressions without the isolate of a complete n8n; with an isolate they take longer
- A real n8n: ${n8nVersion ?? 'not measured; `npm start` installs it'}

## What the cases are

All send texts to 50 chats, over loopback. The gateway is the sandbox, in its own process. One ms per text is 1,000 messages per second.

**n8n's engine**: CPU is the CPU time of the sending process, with ${CONCURRENCY} requests in flight.  _floor_: a minimal n8n node that reads two fields and posts them with n8n's helper. _ours_: this package's Send. In _floor_ and _ours_, chat and text are expressions.

**A real n8n** keeps running between the rounds, on its own Node.js 24, with expressions in its isolate. Time is the sum of n8n's execution times of the nodes that send. CPU is that of all its processes for the whole execution, which starts with a Webhook node and a Code node and is saved at the end. _ours_: this package's Send. _chain_: a Code node for body and timestamp, a Crypto node for the signature, and an HTTP Request node, with their default settings: it sends all requests at once, so nothing keeps the messages of a chat in order. _Telegram_: n8n's own Telegram node, without its attribution, against a stub of Telegram's API with the same latency. It sends one message after the other.

**Items in one run** and **Files**: in n8n's engine, at 0 ms latency. The memory is the most that heap and buffers held after a garbage collection, ${MEMORY_SAMPLES} times during the run, without n8n's items.

## Targets

${targetTable(results)}

${results.map((result) => `## ${result.title}\n\n${sampleTable(result)}`).join('\n\n')}
`;

void main();
