import { setTimeout as delay } from 'node:timers/promises';

import { respond } from '../measuring/childProcess';
import { createTexts, type Text } from '../measuring/messages';
import { execute, filesOnDisk } from '../measuring/n8nEngine';
import { startGateway } from '../receiver/gateway';
import { MEGABYTE, type Workload } from '../workload';

export interface FileMemory {
	/** The peak above idle, in MB, of the process that runs n8n's engine. The gateway is a different process. */
	megabytes: number;
	seconds: number;
}

export interface FileWorkload extends Workload {
	/** On disk, as n8n stores the files of previous nodes, or on a web server. */
	source: 'binary' | 'url';
}

const SAMPLE_INTERVAL_MS = 2;

async function fileMemory(workload: FileWorkload): Promise<FileMemory> {
	const { files, chats, fileMegabytes, fileConcurrency, source } = workload;
	const gateway = await startGateway();
	const itemsFor = async (texts: Text[], size: number) =>
		source === 'binary'
			? await filesOnDisk(texts, size)
			: texts.map(({ chat }) => ({ json: { chat, url: `${gateway.filesUrl}/${size}` } }));
	const send = async (items: Awaited<ReturnType<typeof itemsFor>>) => {
		await gateway.reset(0);
		await execute({
			account: gateway.account,
			items,
			parameters: {
				resource: 'message',
				operation: 'sendMedia',
				chatId: '={{ $json.chat }}',
				mediaSource: source,
				...(source === 'url' ? { mediaUrl: '={{ $json.url }}' } : { binaryPropertyName: 'data' }),
				mediaType: 'file',
				options: { concurrency: fileConcurrency },
			},
		});
		const delivered = await gateway.delivered();
		if (delivered.length !== items.length) throw new Error('Some files did not arrive.');
	};
	const small = await itemsFor(createTexts(1, chats), 1_000);
	const items = await itemsFor(createTexts(files, chats), fileMegabytes * MEGABYTE);

	await send(small);
	globalThis.gc!();
	await delay(500);
	const idle = process.memoryUsage.rss();
	const readPeak = watchPeak();
	const startedAt = performance.now();
	await send(items);
	const seconds = (performance.now() - startedAt) / 1000;
	return { megabytes: (readPeak() - idle) / MEGABYTE, seconds };
}

/** Combines samples with the kernel's maximum, which misses no peak but may date from before the measurement. */
function watchPeak(): () => number {
	const kernelPeak = () => process.resourceUsage().maxRSS * 1024;
	const before = kernelPeak();
	let sampled = 0;
	const sample = () => (sampled = Math.max(sampled, process.memoryUsage.rss()));
	const sampling = setInterval(sample, SAMPLE_INTERVAL_MS);
	return () => {
		clearInterval(sampling);
		return kernelPeak() > before ? kernelPeak() : sampled;
	};
}

respond(fileMemory);
