import { inLanes } from './lanes';
import { type End, type Task, type TrySettings, untilDone } from './tries';

export interface Job<Result> extends Task<Result> {
	/** Jobs of one lane are done one after the other, in their order. */
	lane: string;
}

export interface SendSettings extends Omit<TrySettings, 'isStopping'> {
	concurrency: number;
	/** Whether the first one that finally goes wrong keeps new ones from being begun. */
	stopsAtFirst: boolean;
}

export interface Sent<Result> {
	/** In the order of the jobs; undefined for those that were not begun. */
	ends: Array<End<Result> | undefined>;
	stoppedBy: number | undefined;
}

/** Sends whatever `open` prepares. A job is opened, in order, not long before its turn. */
export async function sendAll<Result>(
	count: number,
	open: (index: number) => Job<Result>,
	settings: SendSettings,
): Promise<Sent<Result>> {
	const { concurrency, stopsAtFirst, isOver } = settings;
	const ends = new Array<End<Result> | undefined>(count).fill(undefined);
	const jobs = new Map<number, Job<Result>>();
	/** One that cannot be sent at all is found out ahead of its turn: what stands before it still goes out. */
	let unfit: number | undefined;
	let failed: number | undefined;
	const isStopping = () => isOver() || failed !== undefined;

	await inLanes({
		count,
		concurrency,
		laneOf(index) {
			try {
				const job = open(index);
				jobs.set(index, job);
				return job.lane;
			} catch (thrown) {
				ends[index] = { thrown, repeat: 'never', tries: 0, isUnknown: false, isRepeatable: false };
				if (stopsAtFirst) unfit = index;
				return undefined;
			}
		},
		async perform(index) {
			const end = await untilDone(jobs.get(index)!, { ...settings, isStopping });
			jobs.delete(index);
			ends[index] = end;
			if (stopsAtFirst && end && 'thrown' in end) failed ??= index;
		},
		isOver: () => isStopping() || unfit !== undefined,
	});
	return { ends, stoppedBy: failed ?? unfit };
}
