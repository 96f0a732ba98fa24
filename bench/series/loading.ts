import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { median, type Section, target } from '../report/section';
import type { Workload } from '../workload';

/** Runs in a new process. n8n-workflow is already loaded, as in n8n. */
const PROGRAM = `
	require('n8n-workflow');
	const startedAt = performance.now();
	require('.');
	console.log(performance.now() - startedAt);`;

const REASON = 'the machine was slow';

export function loading({ rounds }: Workload): Section {
	const cwd = join(__dirname, '../..');
	const load = () => Number(execFileSync(process.execPath, ['-e', PROGRAM], { cwd }).toString());
	// The first run reads the files from the disk.
	load();
	const measured = median(Array.from({ length: rounds }, load));
	return {
		targets: [
			target('Loading the built node', { measured, atMost: 30, unit: 'ms', reason: REASON }),
		],
		markdown: `## Loading

Loading node and credential takes ${measured.toFixed(1)} ms in a new process in which n8n-workflow is already loaded.`,
	};
}
