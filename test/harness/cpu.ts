import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';

/** The CPU time of this work in ms: it depends less on the load of the machine than the time that passes. */
export function cpuMs(work: () => void): number {
	const before = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

/** The unit of the times in /proc, regardless of the kernel's own timer frequency. */
const TICKS_PER_SECOND = 100;

/**
 * Returns a function that reads the CPU time since this call, in ms, of all processes whose working directory is this
 * folder: for n8n, its main process and the process that runs Code nodes. Only Linux reports it.
 */
export function watchCpu(folder: string): () => number | undefined {
	if (process.platform !== 'linux') return () => undefined;
	const directory = realpathSync(folder);
	const before = totalTicks(directory);
	return () => ((totalTicks(directory) - before) * 1000) / TICKS_PER_SECOND;
}

function totalTicks(directory: string): number {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.reduce((sum, pid) => sum + ticksOf(pid, directory), 0);
}

function ticksOf(pid: string, directory: string): number {
	try {
		if (readlinkSync(`/proc/${pid}/cwd`) !== directory) return 0;
		// Skips the process name, which may contain spaces and parentheses.
		const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(/\) (?!.*\) )/s);
		const [user, system] = fields.split(' ').slice(11, 13);
		return Number(user) + Number(system);
	} catch {
		// The process has exited, or belongs to another user.
		return 0;
	}
}
