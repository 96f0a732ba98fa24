import { type Fields, runCode } from '../harness/exampleCode';

export const NOON = '2026-06-03T12:00:00Z'; // A Wednesday.

export const campaign = (fields: Fields = {}) => ({
	...{ id: 1, name: 'Spring', status: 'running', run: '7', timezone: 'UTC' },
	...{ windowFrom: '09:00', windowTo: '18:00', weekdays: '1,2,3,4,5' },
	...{ maxPerPerson: 0, perDays: 0, updatedAt: '2026-06-01T00:00:00.000Z', ...fields },
});

export const row = (id: number, fields: Fields = {}) => ({
	id,
	campaign: 'Spring',
	run: '7',
	person: `4477009001${String(id).padStart(2, '0')}`,
	token: `token ${id}`,
	reason: '',
	...fields,
});

export interface Tables {
	now?: string;
	rows?: Fields[];
	/** How many of them one batch may send. */
	mostSent?: number;
	campaigns?: Fields[];
	known?: Fields[];
	optOuts?: Fields[];
	/** What each number has sent today. */
	counted?: Fields[];
	beingSent?: Fields[];
	sentToPerson?: Fields[];
	settings?: Fields;
	/** The numbers, and whether each is online, or the output of Get Status. */
	numbers?: Record<string, boolean | null | Fields>;
	/** When Session status asked for them. */
	askedAt?: string;
	zone?: string;
}

const DAY = 'today';
const SETTINGS = {
	...{ messagesPerMinute: 60, dailyCaps: '1000', newPeoplePerDay: '1000', whenOffline: 'wait' },
};

/** What Rules decides about each row. */
export function decide(tables: Tables) {
	const { now = NOON, zone = 'UTC', rows = [row(1)], numbers = { '': true } } = tables;
	type Decision = Fields & { id: number; status: string; nextAttemptAt?: string; reason: string };
	return runCode<Decision>('Rules', {
		...{ now, zone },
		nodes: {
			Batch: [{ mostSent: tables.mostSent ?? 20, day: DAY }],
			Claimed: rows.map((each) => ({ status: 'sending', updatedAt: now, ...each })),
			Campaigns: tables.campaigns ?? [campaign()],
			'Opted out': tables.optOuts ?? [],
			'Known people': [
				...(tables.known ?? []),
				...(tables.counted ?? []).map((each, id) => ({
					...{ id: 1_000 + id, token: DAY, sent: 0, newPeople: 0, uncertain: '', ...each },
				})),
			],
			'Being sent': [...(tables.beingSent ?? []), ...(tables.sentToPerson ?? [])],
			Numbers: Object.keys(numbers).map((number) => ({ number, askedAt: tables.askedAt ?? now })),
			'Session status': Object.values(numbers).map((session) =>
				typeof session === 'object' ? (session ?? { online: null }) : { online: session },
			),
			Settings: [{ ...SETTINGS, ...tables.settings }],
		},
	});
}

export const statuses = (tables: Tables) => decide(tables).map(({ status }) => status);
