import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { INodeExecutionData } from 'n8n-workflow';

import { serveSeries } from '../childProcess';
import { type Gateway, startGateway } from '../gateway';
import { built, execute, startFileStorage } from '../n8nEngine';
import { MEGABYTE, type Workload } from '../workload';

/** In bytes, of the process that runs n8n's engine. The gateway is a different process. */
export interface Memory {
	idleRss: number;
	peakRss: number;
	idleArrayBuffers: number;
	peakArrayBuffers: number;
	/** How many files the node sent at the same time. */
	concurrency: number;
	wallMs: number;
}

export interface MemoryInput extends Workload {
	/** On disk, as n8n stores the files of previous nodes, or on a web server. */
	source: 'binary' | 'url';
}

const SAMPLE_INTERVAL_MS = 2;

async function memory(input: MemoryInput): Promise<Memory> {
	const { files, fileMegabytes, source } = input;
	const gateway = await startGateway();
	const filesOf = async (count: number, size: number) =>
		source === 'binary' ? await filesOnDisk(count, size) : filesByUrl(count, size, gateway);
	const small = await filesOf(1, 1_000);
	const items = await filesOf(files, fileMegabytes * MEGABYTE);

	await sendFiles(gateway, small, input);
	globalThis.gc?.();
	await delay(500);
	const idle = process.memoryUsage();
	const peak = watchPeak();
	const startedAt = performance.now();
	await sendFiles(gateway, items, input);
	return {
		idleRss: idle.rss,
		idleArrayBuffers: idle.arrayBuffers,
		wallMs: performance.now() - startedAt,
		...peak(),
		concurrency: await gateway.maxConcurrentRequests(),
	};
}

/** Copies the files on disk, so that none of them is in memory before it is sent. */
async function filesOnDisk(count: number, size: number): Promise<INodeExecutionData[]> {
	const storage = await startFileStorage();
	const original = join(process.env.N8N_USER_FOLDER!, 'original.bin');
	writeFileSync(original, randomBytes(size));
	const location = {
		type: 'execution' as const,
		workflowId: 'workflow',
		executionId: '1',
	};
	const items: INodeExecutionData[] = [];
	for (let i = 0; i < count; i++) {
		const metadata = { data: '', mimeType: 'video/mp4', fileName: `video ${i}.mp4` };
		const data = await storage.copyBinaryFile(location, metadata, original);
		items.push({ json: { chat: chatOf(i) }, binary: { data } });
	}
	return items;
}

function filesByUrl(count: number, size: number, { filesUrl }: Gateway): INodeExecutionData[] {
	return Array.from({ length: count }, (_, i) => ({
		json: { chat: chatOf(i), url: `${filesUrl}/${size}` },
	}));
}

const chatOf = (index: number) => String(49_151_000_000_000 + (index % 20));

async function sendFiles(
	gateway: Gateway,
	items: INodeExecutionData[],
	{ source, fileConcurrency: concurrency }: MemoryInput,
): Promise<void> {
	await gateway.reset(0);
	await execute({
		nodeType: new built.MessagingGateway(),
		account: gateway.account,
		items,
		parameters: {
			resource: 'message',
			operation: 'sendMedia',
			chatId: '={{ $json.chat }}',
			mediaSource: source,
			...(source === 'url' ? { mediaUrl: '={{ $json.url }}' } : { binaryPropertyName: 'data' }),
			mediaType: 'file',
			options: { concurrency },
		},
	});
	const delivered = await gateway.delivered();
	if (delivered.length !== items.length) throw new Error('Some files did not arrive.');
}

/** Combines samples with the kernel's maximum, which misses no peak but may date from before the measurement. */
function watchPeak(): () => Pick<Memory, 'peakRss' | 'peakArrayBuffers'> {
	const kernelPeak = () => process.resourceUsage().maxRSS * 1024;
	const before = kernelPeak();
	let peakRss = 0;
	let peakArrayBuffers = 0;
	const sampling = setInterval(() => {
		const { rss, arrayBuffers } = process.memoryUsage();
		peakRss = Math.max(peakRss, rss);
		peakArrayBuffers = Math.max(peakArrayBuffers, arrayBuffers);
	}, SAMPLE_INTERVAL_MS);
	return () => {
		clearInterval(sampling);
		const maxRss = kernelPeak();
		return { peakRss: maxRss > before ? Math.max(peakRss, maxRss) : peakRss, peakArrayBuffers };
	};
}

serveSeries(memory);
