/** Example 16 in a real n8n: every spelling of a number is one person. Example 15 with those that ask it: test/examples/. */
import { deleteRows, insertRows, rowsOf } from './dataTables';
import { run, setValues } from './examples';

const FORGET = '16-forget-a-person';
const OUTBOX = 'Messaging outbox';
const OPT_OUTS = 'Messaging opt-outs';
const KNOWN = 'Messaging known people';

beforeEach(async () => {
	for (const table of [OUTBOX, OPT_OUTS, KNOWN]) await deleteRows(table);
});

/** Makes a choice in the editor, and returns the page. */
async function choose(phone: string, action: string): Promise<string> {
	await setValues(FORGET, 'Choice', { phone, action });
	const { status, outputs, error } = await run(FORGET);
	expect([status, error]).toEqual(['success', undefined]);
	return outputs('Page in the editor')[0]![0]!.html as string;
}

const row = (recipient: string, fields: object = {}) => ({
	...{ requestId: recipient, recipient, text: `To ${recipient}`, attempts: 0, reason: '' },
	...{ status: 'pending', nextAttemptAt: new Date(0).toISOString(), ...fields },
});

test('shows what is stored, and forgets all spellings, but not others and not the opt-out', async () => {
	const person = '525512345678';
	const sentAt = '2026-06-01T10:00:00.000Z';
	await insertRows(OUTBOX, [
		row('+52 55 1234 5678'),
		row('5215512345678@c.us', { status: 'sent', sentAt }),
		// As example 11 stores an order: the digits are not the identity.
		row('+52 1 55 1234 5678', { person: '5215512345678' }),
		row('5215512345678', { person, campaign: 'Spring', token: 'x', status: 'draft' }),
		row('525512345678', { person, campaign: 'Spring', status: 'failed', reason: 'To +52 55' }),
		row('+52 55 1234 5679'),
		row('a name'),
	]);
	expect(await choose('0123', 'Forget')).toContain('<h1>Nothing was done</h1>');
	const before = await rowsOf(OUTBOX);
	expect(await choose('+52 1 55 1234 5678', 'Show what is stored')).toContain(
		'5 messages in the outbox',
	);
	expect(await rowsOf(OUTBOX)).toEqual(before);
	expect(await rowsOf(OPT_OUTS)).toEqual([]);

	await choose('+52 1 55 1234 5678', 'Stop messages');
	const [optOut] = await rowsOf(OPT_OUTS);
	const known = [optOut!.token, 'another'].map((token) => ({ token, number: '' }));
	await insertRows(KNOWN, known);
	const appointment = { appointmentId: '', source: 'form', name: 'Ada', startsAt: sentAt };
	await insertRows('Messaging appointments', [
		{ ...appointment, phone: '+52 55 1234 5678' },
		{ ...appointment, phone: '+52 55 1234 5679' },
	]);
	const page = (await choose('+52 1 55 1234 5678', 'Forget')).replace(/<b>[^<]*<\/b>/g, '');
	expect(page).toMatch(/<td>5<\/td><td>made anonymous.*<td>3<\/td><td>of them were not sent/s);
	expect(page).toContain('<td>Messaging known people</td><td>1</td><td>deleted</td>');
	expect((await rowsOf(KNOWN)).map((each) => each.token)).toEqual(['another']);
	expect(await rowsOf('Messaging appointments')).toMatchObject([{ phone: '+52 55 1234 5679' }]);
	const rows = await rowsOf(OUTBOX);
	expect(rows.map(({ status }) => status)).toEqual([
		...['stopped', 'sent', 'stopped', 'stopped', 'failed', 'pending', 'pending'],
	]);
	expect(JSON.stringify(rows.slice(0, 5))).not.toMatch(/1234|5678|"x"/);
	expect(rows.slice(5).map(({ text }) => text)).toEqual(['To +52 55 1234 5679', 'To a name']);
	expect(await rowsOf(OPT_OUTS)).toMatchObject([
		{ token: expect.stringMatching(/^[0-9a-f]{32}$/) },
	]);
	expect(await choose('5215512345678', 'Show what is stored')).toMatch(
		/On the list of opt-outs.*0 messages in the outbox/s,
	);
});
