import type { Cost } from '../measuring/timing';
import type { Sender } from '../senders/engine';
import { CONCURRENCY, type Load, type Workload } from '../workload';
import { barChart, type Color } from './barChart';
import { integer, median, medianRatio, type Section, table, target } from './section';

export interface Run extends Cost {
	/** Undefined if the receiver does not record it. */
	outOfOrder?: number;
}

/** One sender under one load. */
export interface Row extends Pick<Sender, 'name' | 'concurrency'> {
	/** In one process (with n8n's engine, or without any n8n), or in a complete n8n. */
	environment: 'engine' | 'n8n';
	load: Load;
	runs: Run[];
}

const NOT_INSTALLED = 'not measured: no real n8n is installed. Run `npm start` to install it';
const PLACES = { engine: "n8n's engine", n8n: 'a real n8n' };
const COSTS = { wallMs: 'Time', cpuMs: 'CPU' };
const ENGINE_REASON =
	"without an isolate, reading the two expressions is 23 % of the floor's CPU time, and most of the rest is n8n, axios and Node.js; order, rate limits and the check of the response cost a part of what our node saves";

interface Target extends Pick<Row, 'environment' | 'concurrency'> {
	latencyMs: number;
	cost: keyof typeof COSTS;
	to: Row['name'];
	atMost: number;
}

const n8n = { environment: 'n8n', concurrency: 10, cost: 'wallMs', to: 'chain' } as const;
const engine = { environment: 'engine', concurrency: 10, cost: 'wallMs', to: 'floor' } as const;
const TARGETS: Target[] = [
	{ ...n8n, latencyMs: 0, atMost: 0.3 },
	{ ...n8n, latencyMs: 0, atMost: 0.3, cost: 'cpuMs' },
	{ ...n8n, latencyMs: 0, atMost: 0.22, to: 'Telegram' },
	{ ...n8n, latencyMs: 5, atMost: 0.6 },
	{ ...n8n, latencyMs: 50, atMost: 1.2, concurrency: 50 },
	{ ...engine, latencyMs: 0, atMost: 0.8 },
	{ ...engine, latencyMs: 5, atMost: 0.8 },
	// Both nodes only wait.
	{ ...engine, latencyMs: 50, atMost: 1.05 },
];

const BARS: Record<Row['name'], { label: string; color: Color }> = {
	limit: { label: 'Node.js without n8n', color: 'gray' },
	floor: { label: 'minimal n8n node', color: 'blue' },
	ours: { label: 'this node', color: 'green' },
	chain: { label: 'Code + Crypto + HTTP', color: 'orange' },
	Telegram: { label: "n8n's Telegram node", color: 'purple' },
};

const COLUMNS: Record<string, (row: Row, rows: Row[]) => string> = {
	Latency: ({ load }) => loadLabel(load),
	In: ({ environment }) => PLACES[environment],
	Sender: ({ name }) => name,
	Requests: requests,
	Texts: ({ load }) => integer(load.texts),
	'Messages/s (range)': (row) => {
		const speeds = perSecond(row);
		return `${integer(median(speeds))} (${integer(Math.min(...speeds))} to ${integer(Math.max(...speeds))})`;
	},
	'Our time / its time': (row, rows) => ratios(row, rows, 'wallMs'),
	'CPU per text': ({ runs, load }) =>
		ifKnown(median(runs.map(({ cpuMs }) => cpuMs)) / load.texts, 'ms'),
	'Our CPU / its CPU': (row, rows) => ratios(row, rows, 'cpuMs'),
	'Out of order': (row) => ifKnown(messagesOutOfOrder(row), '', 0),
};

export function throughputSection(
	rows: Row[],
	n8nVersion: string | undefined,
	{ chats }: Workload,
): Section {
	const ours = rows.filter(({ name }) => name === 'ours').map(messagesOutOfOrder);
	const outOfOrder = { measured: sum(ours), atMost: 0, unit: '' } as const;
	return {
		targets: [
			...TARGETS.map((wanted) => ratioTarget(wanted, rows)),
			target('Messages out of order within a chat, our node', outOfOrder),
		],
		markdown: `## Throughput

![Messages per second](throughput.svg)

All senders send texts to ${chats} chats. The gateway is the sandbox, in its own process. CPU is CPU time: in n8n's engine of the sending process, in a real n8n of all its processes.

**In n8n's engine**, all senders have ${CONCURRENCY} requests in flight. _limit_: Node.js without n8n; it signs and posts with a new connection per request, like n8n. _floor_: a minimal n8n node that reads two fields and posts them with n8n's helper. _ours_: this package's Send. In _floor_ and _ours_, chat and text are expressions.

**A real n8n** (${n8nVersion ?? NOT_INSTALLED}) keeps running between the rounds, on its own Node.js 24, with expressions in its isolate. Time is the sum of n8n's execution times of the nodes that send; preparing the items does not count. CPU is that of the whole execution, which starts with a Webhook node and a Code node and is saved at the end (\`saveDataSuccessExecution\` is \`all\`, n8n's default). _ours_: this package's Send, with the option Concurrency only where the table shows another number than ${CONCURRENCY}. _chain_: a Code node for body and timestamp, a Crypto node for the signature, and an HTTP Request node, with their default settings: it sends all requests at once. _Telegram_: n8n's own Telegram node, without the attribution that it appends by default, against a stub of Telegram's API with the same latency as the sandbox. It sends one message after the other.

**Latency**: the number of requests in flight also limits the throughput. With \`n\` requests in flight, at most \`n / latency\` messages can be sent: at 50 ms, 20 messages/s one by one and ${CONCURRENCY * 20} messages/s with ${CONCURRENCY} at a time. The chain has all requests in flight, so this limit is far away there. Nothing keeps the messages of a chat in order there, and a gateway with a rate limit gets all requests at once. Our node sends one message per chat at a time, so a run also takes at least the latency for each message of the chat with the most messages.

**TLS**: with a key on the curve P-256. n8n opens a connection per request, so every message costs a handshake.

${table(
	Object.keys(COLUMNS),
	byLoad(rows)
		.flat()
		.map((row) => Object.values(COLUMNS).map((cell) => cell(row, rows))),
)}`,
		chart: throughputChart(rows),
	};
}

function ratioTarget(wanted: Target, rows: Row[]): Section['targets'][0] {
	const { environment, latencyMs, concurrency, cost, to, atMost } = wanted;
	const name = `${COSTS[cost]} in ${PLACES[environment]} at ${latencyMs} ms, concurrency ${concurrency}, ours / ${to}`;
	const other = rows.find(
		(row) =>
			row.name === to &&
			row.environment === environment &&
			loadLabel(row.load) === loadLabel({ latencyMs }),
	);
	const ours = other && oursNextTo(other, rows).find((row) => row.concurrency === concurrency);
	const measured = ours ? ratio(ours, other, cost) : NaN;
	const reason = environment === 'engine' ? ENGINE_REASON : undefined;
	return target(name, { measured, atMost, unit: '×', reason });
}

/** Our cost divided by that of this row. Says which of our rows is meant if there are several. */
function ratios(row: Row, rows: Row[], cost: keyof typeof COSTS): string {
	if (row.name === 'ours') return '';
	const ours = oursNextTo(row, rows);
	const which = (our: Row) => (ours.length > 1 ? `× (${requests(our)})` : '×');
	return ours.map((our) => ifKnown(ratio(our, row, cost), which(our))).join(', ');
}

/** Messages per second in a real n8n or, without one, in n8n's engine. */
function throughputChart(rows: Row[]): string {
	const { environment } = rows.at(-1)!;
	const groups = byLoad(rows.filter((row) => row.environment === environment));
	return barChart(
		'Messages per second',
		`In ${PLACES[environment]}, by the gateway's latency and the requests in flight. All bars have the same scale.`,
		groups.map((group) => ({
			label: loadLabel(group[0]!.load),
			bars: group.map((row) => {
				return { ...BARS[row.name], note: requests(row), value: median(perSecond(row)) };
			}),
		})),
	);
}

function byLoad(rows: Row[]): Row[][] {
	const labels = new Set(rows.map(({ load }) => loadLabel(load)));
	return [...labels].map((label) => rows.filter(({ load }) => loadLabel(load) === label));
}

/** Our rows under the same load: one for each concurrency. */
function oursNextTo({ environment, load }: Row, rows: Row[]): Row[] {
	const isNextTo = (row: Row) =>
		row.environment === environment && loadLabel(row.load) === loadLabel(load);
	return rows.filter((row) => row.name === 'ours' && isNextTo(row));
}

function ratio(ours: Row, other: Row, cost: keyof typeof COSTS): number {
	const costs = ({ runs }: Row) => runs.map((run) => run[cost]);
	return medianRatio(costs(ours), costs(other));
}

function requests({ concurrency }: Row): string {
	if (concurrency === 'all') return 'all at once';
	return concurrency === 1 ? 'one by one' : `${concurrency} at a time`;
}

const loadLabel = ({ latencyMs, tls }: Pick<Load, 'latencyMs' | 'tls'>) =>
	`${latencyMs} ms${tls ? ', TLS' : ''}`;
const perSecond = ({ runs, load }: Row) => runs.map(({ wallMs }) => (load.texts * 1000) / wallMs);
const messagesOutOfOrder = ({ runs }: Row) => sum(runs.map(({ outOfOrder = NaN }) => outOfOrder));
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
const ifKnown = (number: number, unit: string, digits = 2) =>
	Number.isNaN(number) ? '' : `${number.toFixed(digits)} ${unit}`.trim();
