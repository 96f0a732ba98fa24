import { type OutcomeError, run, type RunOptions } from '../../harness/engine';

/** What the process reports of a run. */
export interface Report {
	error?: OutcomeError;
	outcomes: unknown[];
}

// A process of n8n as `processes.deep.test.ts` starts it. It loads n8n's engine before it gets its run.
process.once('message', (options: RunOptions) => {
	void run(options).then(({ error, items }) => {
		const outcomes = items.map(({ json }) => json.outcome);
		const report: Report = { error, outcomes };
		process.send!(report, undefined, undefined, () => process.exit());
	});
});
process.send!('ready');
