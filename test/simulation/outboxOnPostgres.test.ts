import type { PGlite } from '@electric-sql/pglite';
import { Settings } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { exampleWith, OUTBOX } from '../examples/exampleWith';
import { Tables } from '../examples/tables';
import { depth } from '../harness/depth';
import type { Example } from '../harness/exampleCode';
import type { OutboxScenario } from './outbox';
import { execute, simulateOnPostgres, startPostgres } from './outboxOnPostgres';
import { orders, START } from './outboxRules';
import type { Behaviour } from './simulatedWorkflow';

/** The outbox on PostgreSQL: its own workflow in n8n's engine, its own statements in an embedded PostgreSQL, in virtual time. */

const FAST = { perMinute: 6_000, secondsPerMessage: 0.05, oneAtATime: false };
const NO_PACE = { messagesPerMinute: 0 };
let database: PGlite;

beforeAll(async () => {
	database = await startPostgres();
}, 60_000);
afterAll(async () => await database.close());

/** Nothing is lost, and nothing is sent by two runs. */
async function expectDelivered(scenario: Partial<OutboxScenario>) {
	const rows = scenario.rows ?? orders(30);
	const given = { gateway: FAST, settings: NO_PACE, ...scenario, rows };
	const outcome = await simulateOnPostgres(given, database);
	expect(outcome.violations).toEqual([]);
	expect(outcome.rows.filter(({ status }) => status !== 'sent')).toEqual([]);
	expect(outcome.delivered.size).toBe(rows.length);
	return outcome;
}

const MINUTE_MS = 60_000;
const at = (ms: number) => new Date(START + ms).toISOString();

test('sends each row once, and several runs at the same time', async () => {
	for (const startsAtOnce of [1, 4]) {
		const { requests } = await expectDelivered({ startsAtOnce, workers: 3, rows: orders(60) });
		expect(requests).toBe(60);
	}
});

test('a run that was killed loses nothing, and its rows are sent again with the same key', async () => {
	for (let killAtStep = 0; killAtStep < depth(24, 60); killAtStep += depth(3, 1)) {
		const { sends } = await expectDelivered({ rows: orders(10), killAtStep, workers: 2 });
		expect(Math.max(...sends)).toBeLessThanOrEqual(2);
	}
});

test.each<[string, Partial<OutboxScenario>]>([
	['statements that take up to ten minutes', { slowMs: 10 * MINUTE_MS }],
	['clocks that jump an hour ahead', { clockJump: { atMs: 12_000, byMs: 60 * MINUTE_MS } }],
	['clocks that jump an hour back', { clockJump: { atMs: 12_000, byMs: -60 * MINUTE_MS } }],
])('one run holds a row, whatever happens: %s', async (_, scenario) => {
	const gateway = { perMinute: 120, secondsPerMessage: 5, oneAtATime: false };
	for (let seed = 1; seed <= depth(3, 100); seed++) {
		await expectDelivered({ gateway, seed, startsAtOnce: 3, workers: 3, ...scenario });
	}
});

test('all runs together keep the pace of a number', async () => {
	const settings = { messagesPerMinute: 60 };
	const rows = orders(100);
	const { arrivals, settledMs } = await expectDelivered({ rows, settings, startsAtOnce: 4 });
	const times = [...arrivals.values()].flat().sort((a, b) => a - b);
	for (const [index, time] of times.entries()) {
		const inOneMinute = times.slice(index).filter((other) => other < time + MINUTE_MS);
		// A minute, and what 12 seconds allow.
		expect(inOneMinute.length).toBeLessThanOrEqual(72);
	}
	// With fewer runs, the next one starts up to 20 s later.
	expect(settledMs).toBeLessThan(1.1 * 100_000 + depth(20_000, 0));
});

test('sends no more per day than the cap', async () => {
	const settings = { ...NO_PACE, dailyCap: 12 };
	const scenario = { gateway: FAST, rows: orders(30), settings, startsAtOnce: 3, workers: 2 };
	for (const killAtStep of [undefined, 9, 12]) {
		const outcome = await simulateOnPostgres(
			{ ...scenario, killAtStep, maxMs: 10 * MINUTE_MS },
			database,
		);
		expect(outcome.violations).toEqual([]);
		expect(outcome.delivered.size).toBeLessThanOrEqual(12);
		if (killAtStep === undefined) expect(outcome.delivered.size).toBe(12);
	}
});

test('sends no row before its time or after it has expired', async () => {
	const later = { sendAt: at(5 * MINUTE_MS), nextAttemptAt: at(5 * MINUTE_MS) };
	const rows = [later, { expiresAt: at(-1) }, { ...later, expiresAt: at(4 * MINUTE_MS) }].flatMap(
		(fields) => orders(5).map((row) => ({ ...row, ...fields })),
	);
	const settings = NO_PACE;
	const outcome = await simulateOnPostgres({ gateway: FAST, rows, settings }, database);
	expect(outcome.rows.map(({ status }) => status)).toEqual([
		...[...Array<string>(5).fill('sent'), ...Array<string>(10).fill('expired')],
	]);
	for (const [time] of outcome.arrivals.values()) expect(time).toBeGreaterThan(5 * MINUTE_MS);
});

test('messages to one chat are sent one after the other', async () => {
	const rows = orders(12).map((row) => ({ ...row, recipient: '+44 7700 900123' }));
	const gateway = { perMinute: 600, secondsPerMessage: 3, oneAtATime: false };
	const { arrivals } = await expectDelivered({ gateway, rows, startsAtOnce: 4, workers: 4 });
	const times = rows.map((_, index) => arrivals.get(`outbox r${index}`)![0]!);
	for (const [index, time] of times.slice(1).entries())
		expect(time - times[index]!).toBeGreaterThanOrEqual(3_000);
});

/** Postgres nodes of an example, with the real time. */
const postgres: Behaviour = async (context) => {
	const query = context.getNodeParameter('query', 0) as string;
	const values = context.getNodeParameter('options.queryReplacement', 0, []) as string[];
	const output = await execute(database, query, values, Date.now());
	return [output.map((json) => ({ json }))];
};
const passOn: Behaviour = async (_, items) => await Promise.resolve([items]);

test('rows of requests move to PostgreSQL and back, with their keys, also if a run is repeated', async () => {
	// The tests before it have their own time.
	Settings.now = () => Date.now();
	await database.exec('TRUNCATE messaging_outbox RESTART IDENTITY');
	const tables = new Tables();
	const sentAt = '2026-06-03T10:00:00.000Z';
	const common = { recipient: '+44 7700 900123', attempts: 0, reason: '', nextAttemptAt: sentAt };
	tables.insert(
		OUTBOX,
		...[
			{ ...common, requestId: 'request 1', text: 'One', status: 'sent', sentAt },
			{ ...common, requestId: '', text: 'Two', status: 'pending' },
			{ ...common, requestId: 'request 3', text: 'Three', status: 'sending' },
			{ ...common, requestId: 'request 3', text: 'Twice', status: 'pending' },
			{ ...common, requestId: 'campaign', text: 'Four', status: 'pending', campaign: 'Spring' },
		],
	);
	const before = tables.rows(OUTBOX);
	const move = async (direction: string) => {
		const behaviours = { manualTrigger: passOn, postgres };
		const edit = (nodes: Example['nodes']) => {
			const settings = nodes.find(({ name }) => name === 'Settings')!;
			const { assignments } = settings.parameters.assignments as { assignments: IDataObject[] };
			assignments[0]!.value = direction;
			return nodes;
		};
		const workflow = exampleWith('11p-outbox-move', 'Manual trigger', tables, behaviours, edit);
		await workflow.execute('1');
	};
	const inPostgres = async () => {
		const query = 'SELECT request_id, text, status, reason FROM messaging_outbox ORDER BY id';
		return (await database.query<IDataObject>(query)).rows;
	};
	await move('to PostgreSQL');
	await move('to PostgreSQL');
	const keyOfTwo = `2 ${before[1]!.createdAt as string}`;
	const moved = [
		{ request_id: 'request 1', text: 'One', status: 'sent' },
		{ request_id: keyOfTwo, text: 'Two', status: 'pending' },
		{ request_id: 'request 3', text: 'Three', status: 'pending' },
	];
	expect(await inPostgres()).toMatchObject(moved);
	expect((await inPostgres())[2]!.reason).toContain('unknown: it may have been sent');
	expect(tables.rows(OUTBOX).map(({ text }) => text)).toEqual(['Four']);
	await move('to data tables');
	expect(await inPostgres()).toEqual([]);
	const [, ...back] = tables.rows(OUTBOX);
	expect(back).toMatchObject(
		moved.map(({ request_id: requestId, ...row }) => ({
			...row,
			requestId,
			person: '447700900123',
		})),
	);
});

describe('a request', () => {
	const TO = '+447700900123';
	const order = { id: 'order 7', to: TO, text: 'Order confirmed' };
	interface Response {
		code: number;
		body: IDataObject;
	}

	/** What the caller gets. */
	async function request(body: IDataObject): Promise<Response> {
		let response: Response | undefined;
		const workflow = exampleWith('11p-outbox-in', 'Request', new Tables(), {
			...{ webhook: passOn, messagingGateway: passOn },
			postgres,
			respondToWebhook: async (context, items) => {
				const parameter = (name: string) => context.getNodeParameter(name, 0) as never;
				response = { code: parameter('options.responseCode'), body: parameter('responseBody') };
				return await Promise.resolve([items]);
			},
		});
		const headers = { 'content-type': 'application/json' };
		await workflow.execute('1', { headers, body });
		return response!;
	}
	const stored = async () =>
		(await database.query<IDataObject>('SELECT text, status FROM messaging_outbox')).rows;
	beforeEach(async () => {
		await database.exec('TRUNCATE messaging_outbox RESTART IDENTITY');
	});

	test('is stored once, however often and by how many callers it is repeated', async () => {
		const responses = await Promise.all([1, 2, 3].map(async () => await request(order)));
		for (const response of responses)
			expect(response).toEqual({ code: 200, body: { stored: true, row: 1, status: 'pending' } });
		expect(await stored()).toEqual([{ text: order.text, status: 'pending' }]);
		const { code } = await request({ to: TO, text: "It's \\ $1\n-- ' here" });
		expect([code, (await stored())[1]!.text]).toEqual([200, "It's \\ $1\n-- ' here"]);
	});

	// What an attempt has left, and whether the message can have left.
	test.each([
		["attempts = 3, reason = 'Not online'", false],
		["status = 'sending'", true],
		["status = 'sent', sent_at = now()", true],
		['sent_at = now()', true],
		["status = 'failed'", true],
	])('after %s: another text replaces it, or is rejected', async (history, hasBegun) => {
		await request(order);
		await database.exec(`UPDATE messaging_outbox SET ${history}`);
		expect((await request(order)).code).toBe(200);
		const other = await request({ ...order, text: 'Order shipped' });
		expect(other.code).toBe(hasBegun ? 409 : 200);
		expect(other.body).toMatchObject(hasBegun ? { text: order.text } : { replaced: true });
		expect((await stored())[0]!.text).toBe(hasBegun ? order.text : 'Order shipped');
		const withdrawn = await request({ id: order.id, cancel: true });
		expect([withdrawn.code, withdrawn.body.withdrawn]).toEqual(
			hasBegun ? [409, false] : [200, true],
		);
	});

	test('to withdraw what is not known gets a 404', async () => {
		expect((await request({ id: 'order 8', cancel: true })).code).toBe(404);
	});
});
