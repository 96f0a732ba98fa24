/** Example 17 in n8n's own engine: the form, the reminder, the page of the recipient, the summary, and the evening message. */
import { runInNewContext } from 'node:vm';

import { DateTime, Settings } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { LANGUAGES } from '../../nodes/MessagingGateway/ask/texts';
import { codeOf, example, type Fields } from '../harness/exampleCode';
import { textsDelivered } from '../harness/messages';
import { useNewGateways } from '../harness/sandboxAccount';
import { OUTBOX } from './exampleWith';
import { runExample } from './runExample';
import { Tables } from './tables';

const gateway = useNewGateways();
const APPOINTMENTS = 'Messaging appointments';
const PHONE = '+44 7700 900123';
const ALWAYS = { timezone: 'UTC', quietFrom: '00:00', quietTo: '00:00' };
const SETTINGS = { ...ALWAYS, page: 'https://n8n.example/webhook/appointment' };

const inMinutes = (minutes: number) => DateTime.utc().plus({ minutes }).startOf('minute');
const DAY = 24 * 60;

async function remind(
	tables: Tables,
	{
		trigger,
		json = {},
		settings,
	}: { trigger?: string; json?: IDataObject; settings?: Fields } = {},
) {
	const result = await runExample({
		...{ file: '17-appointments-remind', items: [{ json }], tables },
		...{ trigger: trigger ?? 'Manual trigger', account: gateway.account },
		values: { 'Reminder settings': { ...SETTINGS, ...settings } },
	});
	const page = result.outputs('Appointment summary')[0]?.[0]?.html as string;
	return {
		...result,
		page: (page ?? '').replace(/<style>.*?<\/style>/s, '').replace(/<[^>]+>/g, ' '),
	};
}

const entry = (at: DateTime, fields: IDataObject = {}) => ({
	...{ name: 'Ada', phone: PHONE, title: 'Haircut' },
	...{ date: at.toISODate(), time: at.toFormat('HH:mm') },
	...{ minutes: 30, headers: { 'x-auth-token': 'x' }, ...fields },
});
const add = async (tables: Tables, at: DateTime, fields: IDataObject = {}, settings?: Fields) =>
	await remind(tables, { trigger: 'Add an appointment', json: entry(at, fields), settings });

const insert = (tables: Tables, at: DateTime, fields: IDataObject = {}) =>
	tables.insert(APPOINTMENTS, {
		...{ appointmentId: '', source: 'form', name: 'Ada', phone: PHONE, title: 'Haircut' },
		...{ startsAt: at.toISO(), endsAt: at.plus({ hours: 1 }).toISO(), status: 'booked', ...fields },
	});

async function sendAll(tables: Tables): Promise<Array<string | undefined>> {
	const rows = tables.table(OUTBOX);
	const due = { nextAttemptAt: new Date(0).toISOString() };
	rows.update([{ keyName: 'status', condition: 'eq', keyValue: 'pending' }], due, Date.now());
	const { error } = await runExample({
		...{ file: '11-outbox-send', trigger: 'Manual trigger', account: gateway.account, tables },
	});
	expect(error).toBeUndefined();
	return textsDelivered(gateway);
}

type Visit = Partial<Record<'answer' | 'accepts', string>> & { change?: IDataObject };

async function visit(tables: Tables, link: string, { answer, change, accepts }: Visit = {}) {
	const query = { ...Object.fromEntries(new URL(link).searchParams), ...change };
	const json = {
		query,
		body: { answer },
		headers: { 'accept-language': accepts ?? 'en' },
	} as IDataObject;
	const { answers, error } = await runExample({
		...{ file: '17-appointments-page', trigger: answer ? 'Answer pressed' : 'Appointment opened' },
		...{ items: [{ json }], account: gateway.account, tables },
	});
	expect(error).toBeUndefined();
	const { responseBody, options } = answers[0] as { responseBody: string; options: IDataObject };
	return { code: options.responseCode, html: responseBody };
}

test('reminds nobody while the page of its links is not published, and says so', async () => {
	const tables = new Tables();
	const at = inMinutes(DAY + 5);
	const settings = { page: 'https://n8n.example/webhook/other' };
	const { page } = await add(tables, at, {}, settings);
	expect(page).toContain('No reminders are sent: publish “17. Appointments: page”');
	expect(page).toMatch(/Ada.*not sent: publish “17. Appointments: page”/s);
	expect(rows(tables)).toEqual([]);
	// Published since.
	await remind(tables);
	expect(await sendAll(tables)).toHaveLength(1);
});

const linkIn = (text: unknown) => /https:\S+/.exec(text as string)![0];
const rows = (tables: Tables) => tables.rows(OUTBOX);

test('from the form to the answer in the summary', async () => {
	const tables = new Tables();
	const at = inMinutes(DAY + 5);
	const { page, answers } = await add(tables, at);
	expect(answers).toHaveLength(1);
	expect(page).toContain(`Added: Ada, ${at.toFormat('cccc d LLLL, HH:mm')}`);
	expect(page).toMatch(/Tomorrow.*Ada\s+Haircut\s+\+44 7700 900123\s+no answer yet\s+is sent at/s);
	const [text] = await sendAll(tables);
	expect(text).toContain(`Hello Ada, your appointment at Example Practice is on`);
	expect(text).toContain(at.toFormat('HH:mm'));

	const link = linkIn(text);
	const before = JSON.stringify([tables.rows(APPOINTMENTS), rows(tables)]);
	const opened = await visit(tables, link);
	expect(opened.html).toMatch(/Haircut.*I’ll come.*I need another time.*Cancel/s);
	expect(JSON.stringify([tables.rows(APPOINTMENTS), rows(tables)])).toBe(before);
	const answered = await visit(tables, link, { answer: 'coming' });
	expect([answered.code, answered.html]).toEqual([200, expect.stringContaining('See you then')]);
	const after = await remind(tables);
	expect(after.page).toMatch(/Ada.*comes\s+sent at \d\d:\d\d/s);
	// Nothing is sent again, and the second reminder still follows.
	expect(await sendAll(tables)).toHaveLength(1);
});

test.each<[string, IDataObject, number]>([
	['The phone number must be complete', { phone: '12345' }, DAY],
	['The time must be such as 14:30', { time: 'noon' }, DAY],
	['The date is missing. The time must be such as 14:30', { date: '', time: '2pm' }, DAY],
	['The minutes must be a number', { minutes: -5 }, DAY],
	['The appointment is in the past', {}, -DAY],
])('the form says, and leads back to what was entered: %s', async (reason, fields, minutes) => {
	const tables = new Tables();
	const entered = { title: 'Cut & "dry"', ...fields };
	const published = { ...entered, formMode: 'production' };
	const { page, outputs } = await add(tables, inMinutes(minutes), published);
	expect(page).toContain(`Not added: ${reason}`);
	const html = outputs('Appointment summary')[0]![0]!.html as string;
	const [, back] = /<a href="([^"]*)">Back to the form</.exec(html)!;
	const { pathname, searchParams } = new URL(
		back!.replaceAll('&#38;', '&'),
		'https://n8n.example/form-waiting/7',
	);
	expect(pathname).toBe('/form/add-appointment');
	for (const [name, value] of Object.entries({ name: 'Ada', ...entered }))
		expect(searchParams.get(name)).toBe(String(value));
	expect([...tables.rows(APPOINTMENTS), ...rows(tables)]).toEqual([]);
});

describe('the page', () => {
	async function withLink(fields: IDataObject = {}) {
		const tables = new Tables();
		insert(tables, inMinutes(DAY + 5), fields);
		await remind(tables);
		return { tables, link: linkIn(rows(tables)[0]!.text) };
	}

	test('after cancelling, a person can ask for another time, but cannot accept the old one', async () => {
		const { tables, link } = await withLink();
		/** What is stored after an answer, and which buttons the page has then. */
		const press = async (answer?: string) => {
			const { html } = await visit(tables, link, { answer });
			const buttons = [...html.matchAll(/ value="([^"]*)"/g)].map(([, value]) => value);
			return [
				(await remind(tables)).page.match(/comes|needs another time|has cancelled/)?.[0],
				buttons,
			];
		};
		expect(await press()).toEqual([undefined, ['coming', 'another time', 'cancel']]);
		expect(await press('another time')).toEqual(['needs another time', ['coming', 'cancel']]);
		expect(await press('coming')).toEqual(['comes', ['another time', 'cancel']]);
		for (const answer of ['cancel', 'coming', undefined])
			expect(await press(answer)).toEqual(['has cancelled', ['another time']]);
		for (const answer of ['another time', 'coming', undefined])
			expect(await press(answer)).toEqual(['needs another time', ['cancel']]);
		expect(await press('cancel')).toEqual(['has cancelled', ['another time']]);
		expect(await sendAll(tables)).toEqual([]);
	});

	test('does not accept another link, or an answer that it does not have', async () => {
		const { tables, link } = await withLink();
		const { t, s } = Object.fromEntries(new URL(link).searchParams);
		insert(tables, inMinutes(DAY + 5), { phone: '+44 7700 900124' });
		const forged = [{ a: '2' }, { t: String(Number(t) + 1) }, { s: `${s!.slice(1)}0` }, { s: '' }];
		for (const change of forged) {
			const { code, html } = await visit(tables, link, { answer: 'cancel', change });
			expect([code, html]).toEqual([404, expect.stringContaining('Invalid link')]);
		}
		await visit(tables, link, { answer: 'pending' });
		expect(tables.rows(APPOINTMENTS).map(({ answer }) => answer)).toEqual([undefined, undefined]);
	});

	test.each<[string, IDataObject, string, number?]>([
		['has moved', { startsAt: inMinutes(2 * DAY).toISO() }, 'at another time now'],
		['was cancelled', { status: 'cancelled' }, 'was cancelled'],
		['has begun', {}, 'has begun or is over', 2 * DAY],
	])('of an appointment that %s stores nothing', async (_, values, text, minutes = 0) => {
		const { tables, link } = await withLink();
		tables.table(APPOINTMENTS).update([], values, Date.now());
		Settings.now = () => Date.now() + minutes * 60_000;
		const { html } = await visit(tables, link, { answer: 'coming' });
		Settings.now = () => Date.now();
		expect(html).toContain(text);
		expect(html).not.toContain('<button');
		expect(tables.rows(APPOINTMENTS)[0]!.answer).toBeUndefined();
	});

	test('is in the language of the calendar or of the browser, and has all texts in each', async () => {
		const { tables, link } = await withLink({ language: 'de' });
		expect((await visit(tables, link, { accepts: 'fr' })).html).toContain('Ich komme');
		const other = await withLink({ name: '<b>' });
		const { html } = await visit(other.tables, other.link, { accepts: 'ar-EG, en;q=0.1' });
		expect(html).toMatch(/<html lang="ar" dir="rtl">.*سأحضر/s);
		const code = codeOf('Appointment page');
		const table = /^const TEXTS = .*?^\};/ms.exec(code)![0];
		const texts = runInNewContext(`${table}\nTEXTS`) as Record<string, object>;
		expect(Object.keys(texts).sort()).toEqual(Object.keys(LANGUAGES).sort());
		for (const each of Object.values(texts))
			expect(Object.keys(each)).toEqual(Object.keys(texts.en!));
	});
});

// n8n runs the branches of a node from the top to the bottom.
test('the changes of a calendar are stored before the plan is made', () => {
	const topOf = (node: string) =>
		example('17-appointments-remind').nodes.find(({ name }) => name === node)!.position[1];
	expect(topOf('Compare')).toBeLessThan(topOf('From the form?'));
});

test('a link to this machine is refused, except for numbers that are reserved for fiction', async () => {
	const tables = new Tables();
	insert(tables, inMinutes(DAY + 5));
	insert(tables, inMinutes(DAY + 5), { phone: '+49 1512 3456789' });
	const settings = { page: 'http://localhost:5678/webhook/appointment' };
	const { page } = await remind(tables, { settings });
	expect(rows(tables)).toMatchObject([{ recipient: '447700900123' }]);
	expect(page).toContain('no phone can open a link to this machine. Set N8N_WEBHOOK_URL');
});

test.each<[Fields, string]>([
	[{ firstText: 'Hello {nmae}, {time}' }, "'firstText' has {nmae}"],
	[{ secondText: 'Hello {name}' }, "'secondText' does not say when"],
	[{ quietFrom: '9 pm' }, "'quietFrom' must be a time"],
	[{ timezone: 'London' }, "'timezone' must be a name"],
	[{ firstHours: 2 }, "'firstHours' and 'secondHours' must differ"],
	[{ owner: '07700 900555' }, "'owner' must be a phone number with + and country code"],
	[{ page: '/webhook/appointment' }, 'The address of this n8n is not known'],
])('stops at the settings %j', async (settings, message) => {
	const tables = new Tables();
	insert(tables, inMinutes(DAY + 5));
	const { error } = await remind(tables, { settings });
	expect(error).toContain(message);
	expect(rows(tables)).toEqual([]);
});

const TOMORROW = DateTime.utc().plus({ days: 1 }).startOf('day').set({ hour: 12 });
const EVENING = {
	...{ owner: '+44 7700 900200', eveningAt: DateTime.utc().toFormat('HH:mm'), firstHours: 0 },
};

test('in the evening, the owner gets one message: who has not answered, and who was not reminded', async () => {
	const tables = new Tables();
	const answered = { answeredAt: DateTime.utc().toISO(), answeredFor: TOMORROW.toISO() };
	for (const fields of [
		{ name: 'Ada', answer: 'coming', ...answered },
		{ name: 'Grace', phone: '+44 7700 900124' },
		{ name: 'Joan', phone: 'unknown' },
		{ name: 'Mary', phone: '+44 7700 900125', answer: 'cancel', ...answered },
	])
		insert(tables, TOMORROW, fields);
	insert(tables, TOMORROW.plus({ days: 2 }), { name: 'Later', phone: '+44 7700 900126' });
	for (const _ of [1, 2]) await remind(tables, { settings: EVENING });
	const sent = rows(tables).filter(({ recipient }) => recipient === EVENING.owner);
	expect(sent).toHaveLength(1);
	expect(sent[0]!.text).toBe(
		[
			'Tomorrow: 4 appointments, 2 answered.',
			...['', 'No answer yet:', '12:00 Grace +44 7700 900124', '12:00 Joan unknown'],
			...['', 'Not reminded:'],
			'12:00 Joan unknown, not sent: the phone number must be complete, with + and country code',
			...['', 'Cancelled:', '12:00 Mary +44 7700 900125'],
		].join('\n'),
	);
});

test('the summary says that the evening message was not sent, until the next one', async () => {
	const tables = new Tables();
	insert(tables, TOMORROW, { phone: '' });
	const said = /The evening message of (\S+) was not sent: (.*?) {2}/;
	expect((await remind(tables, { settings: EVENING })).page).not.toMatch(said);
	tables.table(OUTBOX).update([], { status: 'failed', reason: 'no account' }, Date.now());
	const [row] = rows(tables);
	const { page } = await remind(tables, { settings: EVENING });
	expect(said.exec(page)?.slice(1)).toEqual([(row!.requestId as string).slice(8), 'no account']);
	tables.insert(OUTBOX, { ...row, status: 'sent', requestId: 'evening 2999-01-01' });
	expect((await remind(tables, { settings: EVENING })).page).not.toMatch(said);
});
