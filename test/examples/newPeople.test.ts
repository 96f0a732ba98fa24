/** How many people a number may write to per day who have had no message from it. */
import type { Fields } from '../harness/exampleCode';
import { decide, row, statuses, type Tables } from './decide';

const EARLIER = '2026-05-20T10:00:00Z';
const TODAY = '2026-06-03T10:00:00Z';
const LIMITED = { newPeoplePerDay: '2' };
const rows = [1, 2, 3, 4].map((id) => row(id));
/** An earlier message to the person of row `id`. */
const sentTo = (id: number, fields: Fields = {}) => ({
	...row(id),
	...{ id: 100 + id, campaign: 'Another', status: 'sent', sentAt: EARLIER },
	...fields,
});

test('so many new people get a message, and the others wait for the next day', () => {
	expect(decide({ rows, settings: LIMITED })).toMatchObject([
		{ status: 'sending', isNew: true },
		{ status: 'sending', isNew: true },
		...[3, 4].map((id) => ({
			...{ id, status: 'pending', nextAttemptAt: '2026-06-04T09:00:00.000Z' },
			reason: 'The limit of 2 new people per day is reached',
		})),
	]);
});

const record = { id: 7, token: 'token 1', number: null };

test.each<[string, Tables, string]>([
	['a sent message of another campaign', { sentToPerson: [sentTo(1)] }, 'sending'],
	['an order', { sentToPerson: [sentTo(1, { campaign: '', number: null })] }, 'sending'],
	['the record of a row that was deleted', { known: [record] }, 'sending'],
	['no deferred message', { sentToPerson: [sentTo(1, { status: 'deferred' })] }, 'pending'],
	['no message of another number', { sentToPerson: [sentTo(1, { number: 'B' })] }, 'pending'],
	['no record of another number', { known: [{ ...record, number: 'B' }] }, 'pending'],
])('a person is known by %s', (_, tables, expected) => {
	expect(statuses({ settings: { newPeoplePerDay: '0' }, ...tables })).toEqual([expected]);
});

const other = { ...row(50), status: 'sending' };

test.each<[string, Tables, number]>([
	['counted', { counted: [{ newPeople: 1 }] }, 1],
	['being sent', { beingSent: [other] }, 1],
	['an order that is being sent', { beingSent: [{ ...other, campaign: '' }] }, 2],
	['counted for another number', { counted: [{ newPeople: 1, number: 'B' }] }, 2],
])('a new person who is %s leaves less: %j', (_, tables, left) => {
	const sending = statuses({ rows, settings: LIMITED, ...tables });
	expect(sending.filter((status) => status === 'sending')).toHaveLength(left);
});

test('a person counts once, for several messages and attempts', () => {
	const again = row(1, { sentAt: TODAY, reason: 'unknown: it may have been sent' });
	const second = row(5, { person: row(2).person });
	const all = [again, ...rows.slice(1), second];
	const tables = { sentToPerson: [again], counted: [{ newPeople: 1 }] };
	const decided = decide({ rows: all, settings: LIMITED, ...tables });
	expect(decided.map(({ status, isNew }) => `${status} ${isNew as boolean}`)).toEqual([
		...['sending false', 'sending true', 'pending undefined', 'pending undefined', 'sending false'],
	]);
});

test('a new person goes over another number only if that one may write to new people', () => {
	const numbers = { A: true, B: false, C: true };
	const settings = { whenOffline: 'another number', newPeoplePerDay: '1; C: 0' };
	const ofB = (id: number) => row(id, { number: 'B', otherNumbers: 'C,A' });
	expect(decide({ numbers, settings, rows: [ofB(1), ofB(2)] })).toMatchObject([
		{ status: 'pending', number: 'A', otherNumbers: 'B,C' },
		{ status: 'pending', number: 'B', reason: 'The number B is offline' },
	]);
});
