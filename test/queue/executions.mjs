import { setTimeout as delay } from 'node:timers/promises';

const TIMEOUT_MS = 300_000;
/** When an execution's job has left the queue, n8n takes up to 30 seconds to store the execution's status. */
const QUIET_MS = 35_000;
const CONCURRENT_RETRIES = 5;
const RETRY_TIMEOUT_MS = 90_000;

/** The executions of a workflow, in the database and in the editor. */
export function executionsOf({ main, postgres, redis }, workflowId) {
	const query = (columns, condition) =>
		postgres.query(`SELECT ${columns} FROM execution_entity WHERE ${condition}`);
	const list = () =>
		query('id, status', `"workflowId" = '${workflowId}' AND "retryOf" IS NULL`).map(
			([id, status]) => ({ id, status }),
		);
	const unfinished = () =>
		list().filter(({ status }) => ['new', 'running', 'waiting'].includes(status));

	return {
		list,
		unfinished,

		/**
		 * Waits until all executions have ended, whether they succeeded or failed. Returns the orphaned ones, which no
		 * process works on any more: n8n recovers them when its main process starts, and every three hours.
		 */
		async waitUntilFinished() {
			if (await allFinish()) return [];
			const orphaned = unfinished();
			await main.kill();
			await main.start();
			if (await allFinish()) return orphaned;
			throw new Error(`n8n does not finish these executions: ${JSON.stringify(unfinished())}`);
		},

		/** Retries the executions like Retry in the editor, and returns the statuses of the retries. */
		async retry(executions) {
			const statuses = [];
			for (let i = 0; i < executions.length; i += CONCURRENT_RETRIES) {
				const batch = executions.slice(i, i + CONCURRENT_RETRIES);
				statuses.push(...(await Promise.all(batch.map(({ id }) => retryOne(id)))));
			}
			return statuses;
		},
	};

	/** n8n responds when the retry has ended. About once in a hundred times it never responds; a user would press Retry again. */
	async function retryOne(id, attempts = 3) {
		const response = main.editor.call('POST', `/executions/${id}/retry`, { loadWorkflow: false });
		let isDone = false;
		const results = [response.then(({ status }) => status), storedStatus(id, () => isDone)];
		const status = await Promise.race(results).finally(() => (isDone = true));
		if (status) return status;
		return attempts > 1 ? await retryOne(id, attempts - 1) : 'no response';
	}

	async function storedStatus(id, isDone) {
		const deadline = Date.now() + RETRY_TIMEOUT_MS;
		while (Date.now() < deadline) {
			await delay(2_000);
			if (isDone()) return undefined;
			const [row] = query('status', `"retryOf" = '${id}' AND "stoppedAt" IS NOT NULL`);
			if (row) return row[0];
		}
		return undefined;
	}

	/** Resolves to false if the queue stays empty while some executions have not ended. */
	async function allFinish() {
		const deadline = Date.now() + TIMEOUT_MS;
		let busyAt = Date.now();
		while (Date.now() < deadline && Date.now() - busyAt <= QUIET_MS) {
			const jobs = await redis.jobs();
			// Checks the jobs too: an execution that is marked as crashed may still be running.
			if (jobs === 0 && unfinished().length === 0) return true;
			if (jobs > 0) busyAt = Date.now();
			await delay(500);
		}
		return false;
	}
}
