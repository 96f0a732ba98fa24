import { parseArgs } from 'node:util';

import { averages, type Measured, ROWS, streamWaitMs } from '../../test/simulation/workers';
import { measurePace, PROCESSES as SHARES, SITUATIONS } from '../../test/simulation/workersPace';

/** `node dev/bench/launch.mjs workers.ts`: how well processes share a limit, or with --pace=20 the pace of a credential. */
const { values } = parseArgs({
	options: {
		seeds: { type: 'string', default: '20' },
		row: { type: 'string', default: '' },
		pace: { type: 'string' },
	},
});
const PROCESSES = [1, 2, 4, 8];

const percent = (share: number) => (100 * share).toFixed(share > 0.99 && share < 1 ? 1 : 0);
const cell = ({ delivered, refused, fairness, time, failedRuns }: Measured) =>
	[percent(delivered), percent(refused), fairness.toFixed(2), time.toFixed(2), failedRuns].join(
		', ',
	);

async function printPace(perMinute: number): Promise<void> {
	console.log(`Messages per minute of ${perMinute}, and the most in any minute\n`);
	console.log(`| Processes | ${SHARES.join(' | ')} |\n| --- |${' --- |'.repeat(SHARES.length)}`);
	for (const situation of SITUATIONS) {
		const cells: string[] = [];
		for (const processes of SHARES) {
			const { perMinute: measured, most } = await measurePace(perMinute, processes, situation);
			cells.push(`${measured.toFixed(1)}, ${most}`);
		}
		console.log(`| ${situation[0]} | ${cells.join(' | ')} |`);
	}
}

async function main(): Promise<void> {
	if (values.pace !== undefined) return await printPace(Number(values.pace));
	console.log('Delivered %, refused %, fairness, time relative to the limit, failed runs\n');
	console.log(`| Limit | ${PROCESSES.join(' | ')} |\n| --- |${' --- |'.repeat(PROCESSES.length)}`);
	for (const row of ROWS.filter(({ name }) => name.includes(values.row))) {
		const cells: string[] = [];
		for (const processes of PROCESSES) {
			cells.push(cell(await averages(row, processes, Number(values.seeds))));
		}
		console.log(`| ${row.name} | ${cells.join(' | ')} |`);
	}
	if (values.row !== '') return;
	for (const processes of [1, 4]) {
		const ms = await streamWaitMs(processes, 1);
		console.log(
			`\n80 % of 20/s for an hour, ${processes} processes: p99 of the wait ${Math.round(ms)} ms`,
		);
	}
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 2;
});
