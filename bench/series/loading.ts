import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { serveSeries } from '../childProcess';
import type { Workload } from '../workload';

/** Runs in a new process. n8n-workflow is already loaded, as in n8n. */
const PROGRAM = `
	require('n8n-workflow');
	const startedAt = performance.now();
	require('.');
	console.log(performance.now() - startedAt);`;

const root = join(__dirname, '..', '..');

async function millisecondsToLoad(): Promise<number> {
	const { stdout } = await promisify(execFile)(process.execPath, ['-e', PROGRAM], { cwd: root });
	return Number(stdout);
}

async function loading({ rounds }: Workload): Promise<number[]> {
	await millisecondsToLoad();
	const runs: number[] = [];
	for (let round = 0; round < rounds; round++) runs.push(await millisecondsToLoad());
	return runs;
}

serveSeries(loading);
