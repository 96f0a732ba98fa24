import { type Profiler, Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { serveSeries } from '../childProcess';
import { ours } from '../competitors';
import { startGateway } from '../gateway';
import { createTexts } from '../messages';
import { startExpressions } from '../n8nEngine';
import type { Workload } from '../workload';

/** CPU time per text by part, in microseconds, under the profiler of V8. */
export type Profile = Record<string, number>;

/** The first pattern that matches the file of a function decides. Native functions count towards their callers. */
const PARTS: [part: string, file: RegExp][] = [
	['this package', /^dist\//],
	['the benchmark', /^(bench|test|node_modules\/tsx)\//],
	['axios', /^node_modules\/(axios|follow-redirects|form-data|proxy-from-env)\//],
	['n8n', /^node_modules\//],
	[
		'Node.js: connections and HTTP',
		/^node:(_?http|https|net|dns|tls|_tls|internal\/(http|net|dns|tls|stream_base))/,
	],
	[
		'Node.js: streams and events',
		/^node:(_?stream|events|internal\/(streams|webstreams|event_target|events))/,
	],
	[
		'Node.js: timers and signals',
		/^node:(timers|internal\/(timers|abort_controller|priority_queue))/,
	],
	['Node.js: other', /^node:/],
];

const ROOT = pathToFileURL(join(__dirname, '..', '..', '/')).href;

const RUNS = 5;
const INTERVAL_MICROSECONDS = 200;

async function profile({ warmUpRounds, texts, chats }: Workload): Promise<Profile> {
	await startExpressions();
	const gateway = await startGateway();
	const messages = createTexts(texts, chats);
	const send = async () => {
		await gateway.reset(0);
		await ours.send(gateway.account, messages);
	};
	for (let round = 0; round < warmUpRounds; round++) await send();

	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_MICROSECONDS });
	await session.post('Profiler.start');
	for (let run = 0; run < RUNS; run++) await send();
	const { profile } = await session.post('Profiler.stop');
	return timeByPart(profile, RUNS * texts);
}

function timeByPart(
	{ nodes, samples = [], timeDeltas = [] }: Profiler.Profile,
	texts: number,
): Profile {
	const parts = new Map<number, string>();
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const visit = (id: number, caller: string) => {
		const { callFrame, children = [] } = byId.get(id)!;
		const part = partOf(callFrame) ?? caller;
		parts.set(id, part);
		for (const child of children) visit(child, part);
	};
	visit(nodes[0]!.id, 'V8 and system calls');
	const times: Profile = {};
	samples.forEach((id, i) => {
		const part = parts.get(id)!;
		if (part !== '') times[part] = (times[part] ?? 0) + timeDeltas[i]! / texts;
	});
	return times;
}

/** Empty for time without work. */
function partOf({ functionName, url }: { functionName: string; url: string }): string | undefined {
	if (functionName === '(idle)') return '';
	if (functionName === '(garbage collector)') return 'garbage collection';
	const path = url.replace(ROOT, '').replace(fileURLToPath(ROOT), '');
	return PARTS.find(([, file]) => file.test(path))?.[0];
}

serveSeries(profile);
