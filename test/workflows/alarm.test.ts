/** Examples 9a and 9c: what the alerts are about, and that they arrive, whatever has failed. */
import type { IDataObject } from 'n8n-workflow';

import { type Behaviour, paired } from '../simulation/simulatedWorkflow';
import { exampleWith, FULL, OUTBOX, Tables } from './tables';

const ALERTS = 'Messaging alerts';
const CAMPAIGNS = 'Messaging campaigns';

type State = 'off' | 'working' | 'failing';
type Channel = 'Email' | 'Chat' | 'Message';

/** Example 9c, in which these channels are active. The others are off, as delivered. */
class Alarm {
	readonly tables = new Tables();
	readonly sent: Record<string, string[]> = {};
	/** The outcome of the node Message. */
	outcome = 'sent';
	readonly #workflow;
	#runs = 0;

	constructor(private readonly channels: Partial<Record<Channel, State>> = {}) {
		this.#workflow = alarm('9c-unknown-alert', this);
	}

	/** Runs the workflow. Returns why it has failed, if it has. */
	async run(): Promise<string | undefined> {
		return await this.#workflow.execute(String(++this.#runs)).then(
			() => undefined,
			(error: Error) => error.message,
		);
	}

	/** What was sent since the last call. */
	takeSent(): Record<string, string[]> {
		const sent = { ...this.sent };
		for (const channel of Object.keys(sent)) delete this.sent[channel];
		return sent;
	}

	stateOf = (channel: string) => this.channels[channel as Channel] ?? 'off';
}

type Senders = Pick<Alarm, 'sent' | 'tables' | 'stateOf' | 'outcome'>;

const alarm = (file: string, senders: Senders, trigger = 'Every 10 minutes') => {
	const sends =
		(field: string, jsonOf: () => IDataObject): Behaviour =>
		async (context, items) => {
			const { name } = context.getNode();
			await Promise.resolve();
			if (senders.stateOf(name) === 'failing') {
				const error = `${name} cannot be reached`;
				if (!context.continueOnFail()) throw new Error(error);
				return [[{ json: { error }, pairedItem: { item: 0 } }]];
			}
			const text = context.getNodeParameter(field, 0);
			(senders.sent[name] ??= []).push(typeof text === 'string' ? text : JSON.stringify(text));
			return [paired(items, jsonOf)];
		};
	const behaviours: Record<string, Behaviour> = {
		emailSend: sends('text', () => ({ messageId: '1' })),
		httpRequest: sends('jsonBody', () => ({ data: 'ok' })),
		messagingGateway: sends('text', () => ({ outcome: senders.outcome })),
		messagingGatewayTrigger: async (_, items) => await Promise.resolve([items]),
		stopAndError: async (context) => {
			await Promise.resolve();
			throw new Error(context.getNodeParameter('errorMessage', 0) as string);
		},
	};
	return exampleWith(file, trigger, senders.tables, behaviours, (nodes) => {
		for (const node of nodes) {
			if (node.disabled) node.disabled = senders.stateOf(node.name) === 'off';
			// n8n waits for a second before each.
			delete node.retryOnFail;
		}
	});
};

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** A row of the outbox that was stored and is due since then. */
const row = (status: string, minutes: number, fields: IDataObject = {}) => ({
	...{ status, recipient: '447700900123', text: 'Your PIN is 4711', campaign: null, sentAt: null },
	...{ createdAt: minutesAgo(minutes), updatedAt: minutesAgo(minutes) },
	...{ nextAttemptAt: minutesAgo(minutes), ...fields },
});

/** The lines of the only alert, without the explanation at its end. */
function linesOf({ Message }: Record<string, string[]>): string[] {
	expect(Message).toHaveLength(1);
	return Message![0]!.split('\n\n')[0]!.split('\n');
}

describe('9c', () => {
	test.each<[string, (tables: Tables) => void, RegExp]>([
		[
			'may have been sent',
			(tables) => tables.insert(OUTBOX, row('unknown', 1)),
			/^Row 1 may have been/,
		],
		[
			'waits',
			(tables) => tables.insert(OUTBOX, row('pending', 31)),
			/^Row 1 still waits to be sent/,
		],
		[
			'is deferred',
			(tables) => tables.insert(OUTBOX, row('deferred', 31)),
			/^Row 1 waits in the g/,
		],
		[
			'belongs to a campaign that has paused itself',
			(tables) => {
				const reason = 'The phone has logged the session out. Pair it again, then choose Resume';
				tables.insert(CAMPAIGNS, { name: 'Spring', status: 'paused', reason });
			},
			/^The campaign 'Spring' has paused itself, since \d{4}-.*\. The phone has logged the session out/,
		],
		[
			'is due for an hour, and nothing is sent',
			(tables) => tables.insert(OUTBOX, row('pending', 61, { campaign: 'Spring' })),
			/^The outbox stands still: row 1 has been due since \d{4}-/,
		],
		[
			'cannot be stored',
			(tables) => {
				tables.isFull = true;
			},
			/^The data tables are full/,
		],
	])('sends an alert about what %s', async (_, happen, line) => {
		const nine = new Alarm({ Message: 'working' });
		happen(nine.tables);
		await nine.run();
		expect(linesOf(nine.takeSent())).toEqual([expect.stringMatching(line)]);
	});

	test.each<[string, (tables: Tables) => void]>([
		['a message that was sent', (tables) => tables.insert(OUTBOX, row('sent', 90))],
		['a new message', (tables) => tables.insert(OUTBOX, row('pending', 29))],
		[
			'a message of a campaign that waits for its time',
			(tables) =>
				tables.insert(
					OUTBOX,
					row('pending', 90, { campaign: 'Spring', nextAttemptAt: minutesAgo(-60) }),
				),
		],
		[
			'a large campaign, while its messages are sent',
			(tables) => {
				tables.insert(OUTBOX, row('pending', 90, { campaign: 'Spring' }));
				tables.insert(OUTBOX, row('sent', 90, { campaign: 'Spring', sentAt: minutesAgo(5) }));
			},
		],
		[
			'a campaign that a person has paused',
			(tables) => tables.insert(CAMPAIGNS, { name: 'Spring', status: 'paused', reason: '' }),
		],
		[
			'a running campaign',
			(tables) => tables.insert(CAMPAIGNS, { name: 'Spring', status: 'running' }),
		],
	])('sends none about %s', async (_, happen) => {
		const nine = new Alarm({ Message: 'working' });
		happen(nine.tables);
		expect(await nine.run()).toBeUndefined();
		expect(nine.takeSent()).toEqual({});
	});

	test('has no recipients and no texts', async () => {
		const nine = new Alarm({ Message: 'working', Chat: 'working', Email: 'working' });
		for (const status of ['unknown', 'pending', 'deferred']) {
			nine.tables.insert(OUTBOX, row(status, 90));
		}
		await nine.run();
		expect(JSON.stringify([nine.takeSent(), nine.tables.rowsOf(ALERTS)])).not.toMatch(
			/900123|4711/,
		);
	});

	test('sends one alert about each, and another if it happens again', async () => {
		const nine = new Alarm({ Message: 'working' });
		nine.tables.insert(OUTBOX, row('unknown', 5));
		await nine.run();
		expect(linesOf(nine.takeSent())).toHaveLength(1);
		nine.tables.isFull = true;
		await nine.run();
		expect(linesOf(nine.takeSent())).toEqual([expect.stringContaining('full')]);
		await nine.run();
		expect(nine.takeSent()).toEqual({});
		nine.tables.isFull = false;
		expect(await nine.run()).toBeUndefined();
		expect(nine.takeSent()).toEqual({});
		nine.tables.isFull = true;
		await nine.run();
		expect(linesOf(nine.takeSent())).toEqual([expect.stringContaining('full')]);
	});

	test('reads and lists a limited number of rows, the newest first', async () => {
		const nine = new Alarm({ Message: 'working' });
		for (let each = 0; each < 300; each++) {
			nine.tables.insert(OUTBOX, row('unknown', 300 - each));
			nine.tables.insert(OUTBOX, row('deferred', 900 - each));
		}
		await nine.run();
		const lines = linesOf(nine.takeSent());
		expect([lines.length, lines[0], lines.at(-1)]).toEqual([
			21,
			expect.stringContaining('Row 599 may'),
			'And 180 more',
		]);
		expect(Math.max(...Object.values(nine.tables.read))).toBe(100);
	});

	const STATES: State[] = ['off', 'working', 'failing'];
	const CASES = STATES.flatMap((Email) =>
		STATES.flatMap((Chat) =>
			STATES.flatMap((Message) =>
				[true, false].map((isFull) => ({ Email, Chat, Message, isFull })),
			),
		),
	);

	test('reaches every channel that works, fails if one does not, and tries again if none did', async () => {
		for (const { isFull, ...channels } of CASES) {
			const nine = new Alarm(channels);
			nine.tables.insert(OUTBOX, row('unknown', 5));
			nine.tables.isFull = isFull;
			const failing = Object.entries(channels).filter(([, state]) => state === 'failing');
			const working = Object.entries(channels).filter(([, state]) => state === 'working');
			const error = await nine.run();
			const names = working.map(([name]) => name);
			expect([channels, Object.keys(nine.takeSent()).sort()]).toEqual([channels, names.sort()]);
			expect(nine.tables.rowsOf(ALERTS)).toHaveLength(isFull ? 0 : 1);
			for (const [name] of failing) expect(error).toContain(`${name} cannot be reached`);
			if (isFull) expect(error).toContain(FULL);
			if (!isFull && failing.length === 0) expect(error).toBeUndefined();

			await nine.run();
			const isTableOnly = failing.length + working.length === 0;
			const isDelivered = working.length > 0 || (isTableOnly && !isFull);
			expect(nine.takeSent()).toEqual({});
			expect(nine.tables.rowsOf(ALERTS)).toHaveLength(isFull ? 0 : isDelivered ? 1 : 2);
		}
	});

	test.each(['rehearsed', 'deferred'])(
		'an alert with the outcome %s has reached nobody',
		async (outcome) => {
			const nine = new Alarm({ Message: 'working' });
			nine.outcome = outcome;
			nine.tables.insert(OUTBOX, row('unknown', 5));
			for (const _ of [1, 2]) {
				expect(await nine.run()).toContain('Message');
				expect(linesOf(nine.takeSent())).toHaveLength(1);
			}
		},
	);
});

test('9a reaches every channel that works, also if the others and the table do not', async () => {
	for (const [Email, Chat, isFull] of [
		['working', 'working', true],
		['failing', 'working', false],
		['working', 'failing', true],
	] as const) {
		const states: Record<string, State> = { Email, Chat };
		const tables = new Tables();
		tables.isFull = isFull;
		const sent: Record<string, string[]> = {};
		const stateOf = (channel: string) => states[channel]!;
		const nine = alarm(
			'9a-offline-alert',
			{ sent, tables, stateOf, outcome: '' },
			'Offline for 10 minutes',
		);
		const error = await nine.execute('1').catch(String);
		const working = Object.keys(states).filter((name) => states[name] === 'working');
		expect(Object.keys(sent).sort()).toEqual(working.sort());
		expect(tables.rowsOf(ALERTS)).toHaveLength(isFull ? 0 : 1);
		expect(error).toContain(isFull ? FULL : 'Email cannot be reached');
	}
});
