import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';

/** In which the kernel counts for everybody, whatever its own clock. */
const TICKS_PER_SECOND = 100;

/**
 * CPU time from now on, in ms, of all processes that run in this folder: n8n's main process, and the one in
 * which it runs Code nodes. Only Linux tells.
 */
export function watchCpuOfThoseIn(folder: string): () => number | undefined {
	if (process.platform !== 'linux') return () => undefined;
	const place = realpathSync(folder);
	const before = ticksOfAll(place);
	return () => ((ticksOfAll(place) - before) * 1000) / TICKS_PER_SECOND;
}

function ticksOfAll(place: string): number {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.reduce((sum, pid) => sum + ticksOf(pid, place), 0);
}

function ticksOf(pid: string, place: string): number {
	try {
		if (readlinkSync(`/proc/${pid}/cwd`) !== place) return 0;
		// What comes before is its name, which may hold anything.
		const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?!.*\) )/s);
		const [user, system] = fields.split(' ').slice(11, 13);
		return Number(user) + Number(system);
	} catch {
		// It has ended meanwhile, or is somebody else's.
		return 0;
	}
}
