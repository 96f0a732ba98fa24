import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { startChild } from '../measuring/childProcess';
import { integer, median, type Section, table, target } from '../report/section';
import type { Workload } from '../workload';
import type { FileMemory, FileWorkload } from './fileMemory';

const SOURCES = [
	{ source: 'binary', name: 'on disk', row: "on disk (n8n's filesystem mode)" },
	{ source: 'url', name: 'by URL', row: 'by URL' },
] as const;

export async function files(workload: Workload): Promise<Section> {
	const { files, fileMegabytes, fileConcurrency } = workload;
	const atMost = 2.5 * fileMegabytes * fileConcurrency + 50;
	const targets: Section['targets'] = [];
	const rows: string[][] = [];
	for (const { source, name, row } of SOURCES) {
		const runs = await measure({ ...workload, source });
		const megabytes = runs.map((run) => run.megabytes);
		const measured = median(megabytes);
		const title = `Peak memory above idle, ${files} files of ${fileMegabytes} MB ${name}, concurrency ${fileConcurrency}`;
		targets.push(target(title, { measured, atMost, unit: 'MB' }));
		rows.push([
			row,
			`${integer(measured)} MB (${integer(Math.max(...megabytes))} MB)`,
			`${median(runs.map(({ seconds }) => seconds)).toFixed(1)} s`,
		]);
	}
	return {
		targets,
		markdown: `## Files

Send Media with ${files} files of ${fileMegabytes} MB, concurrency ${fileConcurrency}. Each round is a new process that runs only n8n's engine. The memory is resident memory (RSS) at its peak.

${table(['Files', 'Memory above idle (worst round)', 'Time'], rows)}`,
	};
}

/** A process rarely returns memory to the system, so every round needs a new one. */
async function measure(workload: FileWorkload): Promise<FileMemory[]> {
	const rounds: FileMemory[] = [];
	while (rounds.length < workload.rounds) {
		const N8N_USER_FOLDER = mkdtempSync(join(process.env.N8N_USER_FOLDER!, 'files-'));
		const env = { N8N_USER_FOLDER };
		const [result, child] = await startChild<FileMemory>('series/fileMemory.ts', workload, env);
		child.disconnect();
		await once(child, 'exit');
		rmSync(N8N_USER_FOLDER, { recursive: true, force: true });
		rounds.push(result);
	}
	return rounds;
}
