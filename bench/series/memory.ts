import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import type { INodeExecutionData } from 'n8n-workflow';

import { answer } from '../apart';
import { type Extent, MEGABYTE } from '../extent';
import { type Gateway, startGateway } from '../gateway';
import { built, execute, startFiles } from '../n8n';

/** In bytes, of the process that runs n8n's engine; the gateway is another one. */
export interface Memory {
	idleRss: number;
	peakRss: number;
	idleArrayBuffers: number;
	peakArrayBuffers: number;
	/** How many files were on their way at the same time. */
	atOnce: number;
	wallMs: number;
}

const SAMPLED_EVERY_MS = 2;

async function memory({ files, fileMegabytes, filesAtOnce }: Extent): Promise<Memory> {
	const gateway = await startGateway();
	const small = await filesOnDisk(1, 1_000);
	const items = await filesOnDisk(files, fileMegabytes * MEGABYTE);

	await sendFiles(gateway, small, filesAtOnce);
	globalThis.gc?.();
	await pause(500);
	const idle = process.memoryUsage();
	const peak = watchPeak();
	const startedAt = performance.now();
	await sendFiles(gateway, items, filesAtOnce);
	return {
		idleRss: idle.rss,
		idleArrayBuffers: idle.arrayBuffers,
		wallMs: performance.now() - startedAt,
		...peak(),
		atOnce: await gateway.mostAtOnce(),
	};
}

/** Copied by the disk, so that no file has been in memory before it is sent. */
async function filesOnDisk(count: number, size: number): Promise<INodeExecutionData[]> {
	const store = await startFiles();
	const original = join(process.env.N8N_USER_FOLDER!, 'original.bin');
	writeFileSync(original, randomBytes(size));
	const location = {
		type: 'execution' as const,
		workflowId: 'workflow',
		executionId: '1',
	};
	const items: INodeExecutionData[] = [];
	for (let i = 0; i < count; i++) {
		const about = { data: '', mimeType: 'video/mp4', fileName: `video ${i}.mp4` };
		const data = await store.copyBinaryFile(location, about, original);
		items.push({ json: { chat: String(49_151_000_000_000 + (i % 20)) }, binary: { data } });
	}
	return items;
}

async function sendFiles(
	gateway: Gateway,
	items: INodeExecutionData[],
	concurrency: number,
): Promise<void> {
	await gateway.begin(0);
	await execute({
		nodeType: new built.MessagingGateway(),
		account: gateway.account,
		items,
		parameters: {
			resource: 'message',
			operation: 'sendMedia',
			chatId: '={{ $json.chat }}',
			binaryPropertyName: 'data',
			mediaType: 'file',
			options: { concurrency },
		},
	});
	const delivered = await gateway.delivered();
	if (delivered.length !== items.length) throw new Error('Not every file has arrived.');
}

/**
 * Sampled, and besides asked of the kernel, whose mark cannot miss a peak but may be of the time before.
 */
function watchPeak(): () => Pick<Memory, 'peakRss' | 'peakArrayBuffers'> {
	const kernelsPeak = () => process.resourceUsage().maxRSS * 1024;
	const before = kernelsPeak();
	let peakRss = 0;
	let peakArrayBuffers = 0;
	const sampling = setInterval(() => {
		const { rss, arrayBuffers } = process.memoryUsage();
		peakRss = Math.max(peakRss, rss);
		peakArrayBuffers = Math.max(peakArrayBuffers, arrayBuffers);
	}, SAMPLED_EVERY_MS);
	return () => {
		clearInterval(sampling);
		const mark = kernelsPeak();
		return { peakRss: mark > before ? Math.max(peakRss, mark) : peakRss, peakArrayBuffers };
	};
}

answer(memory);
