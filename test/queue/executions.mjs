import { setTimeout as after } from 'node:timers/promises';

const PATIENCE_MS = 300_000;
/** After an execution's job has gone, n8n takes up to 30 seconds to write down what became of it. */
const QUIET_MS = 35_000;
const RETRIES_AT_ONCE = 5;
const ANSWER_MS = 90_000;

/** The executions of a workflow: what the database says of them, and what the editor shows and does. */
export function executionsOf({ main, postgres, redis }, workflowId) {
	const all = () =>
		postgres
			.query(
				`SELECT id, status FROM execution_entity WHERE "workflowId" = '${workflowId}' AND "retryOf" IS NULL`,
			)
			.map(([id, status]) => ({ id, status }));
	const open = () => all().filter(({ status }) => ['new', 'running', 'waiting'].includes(status));

	return {
		all,

		/**
		 * Whichever way each of them has ended. Those that are in nobody's hands any more n8n finds when its main process
		 * starts, and every three hours.
		 */
		async settled() {
			if (await ended()) return [];
			const dangling = open();
			await main.kill();
			await main.start();
			if (await ended()) return dangling;
			throw new Error(`n8n brings these to no end: ${JSON.stringify(open())}`);
		},

		/** How many the editor lists that went wrong, by their status. */
		async shown() {
			const counts = {};
			for (const status of ['error', 'crashed', 'canceled']) {
				const filter = JSON.stringify({ workflowId, status: [status] });
				const query = new URLSearchParams({ filter, limit: '1' });
				const { count } = await main.editor.call('GET', `/executions?${query}`);
				if (count > 0) counts[status] = count;
			}
			return counts;
		},

		/** Presses Retry on each, and says how that ended. */
		async retry(executions) {
			const statuses = [];
			for (let i = 0; i < executions.length; i += RETRIES_AT_ONCE) {
				const some = executions.slice(i, i + RETRIES_AT_ONCE);
				statuses.push(...(await Promise.all(some.map(({ id }) => retried(id)))));
			}
			return statuses;
		},
	};

	/** n8n answers when the repeat has ended. Once in some hundred times no answer came: then it is pressed again, as a person would. */
	async function retried(id, presses = 3) {
		const answer = main.editor.call('POST', `/executions/${id}/retry`, { loadWorkflow: false });
		let isOver = false;
		const ends = [answer.then(({ status }) => status), endOfRetry(id, () => isOver)];
		const status = await Promise.race(ends).finally(() => (isOver = true));
		if (status) return status;
		return presses > 1 ? await retried(id, presses - 1) : 'unanswered';
	}

	async function endOfRetry(id, isOver) {
		const until = Date.now() + ANSWER_MS;
		while (Date.now() < until) {
			await after(2_000);
			if (isOver()) return undefined;
			const [row] = postgres.query(
				`SELECT status FROM execution_entity WHERE "retryOf" = '${id}' AND "stoppedAt" IS NOT NULL`,
			);
			if (row) return row[0];
		}
		return undefined;
	}

	/** Whether all have, before everything is quiet. */
	async function ended() {
		const until = Date.now() + PATIENCE_MS;
		let quietSince = Infinity;
		while (Date.now() < until) {
			const jobs = await redis.jobs();
			// One that is marked as crashed may still be running.
			if (jobs === 0 && open().length === 0) return true;
			if (jobs > 0) quietSince = Infinity;
			else if (quietSince === Infinity) quietSince = Date.now();
			else if (Date.now() - quietSince > QUIET_MS) return false;
			await after(500);
		}
		return false;
	}
}
