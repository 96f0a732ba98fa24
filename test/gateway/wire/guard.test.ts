import { checkRequest } from '../../../gateway/wire/guard';
import type { InvalidInput } from '../../../gateway/inputValues';
import { refused } from '../../harness/refused';

const path = (name: string) => `/api/whatsapp/tok/${name}`;
const message = (fields: object) => ({
	method: 'POST',
	path: path('sendMessage'),
	body: Buffer.from(JSON.stringify({ type: 'text', text: 'Hello', ...fields })),
});
const to = (chatId: string) => message({ chatId });
const list = (allowedRecipients: unknown) => ({ sendTo: 'allowed', allowedRecipients });
const check = (
	limits: Record<string, unknown>,
	request: { method: string; path: string; body?: Buffer },
) => checkRequest(limits, request.method, request.path, request.body);
const causeOf = ({ causeName }: InvalidInput) => causeName;

const STRANGER = '4915123456780';

describe('who gets messages', () => {
	test.each([
		['a credential from before there was the field', {}],
		['anyone', { sendTo: 'anyone', allowedRecipients: '+49*' }],
	])('%s: everyone, and nothing is read', (_, limits) => {
		check(limits, { method: 'PUT', path: '/x', body: Buffer.from('[') });
	});

	test.each([
		['+49 151 23456780', STRANGER],
		['+52 55*', '5215512345678'],
		['+55 11 6123 4567', '5511961234567'],
		['+49 151 23456780', `${STRANGER}@s.whatsapp.net`],
		['Groups', '120363012345678901@g.us'],
		['channels', '120363012345678901@newsletter'],
		['120363012345678901@g.us', '120363012345678901@g.us'],
	])('with %j on the list, %s', (entry, recipient) => {
		check(list(`+43 1 2345678\n${entry}`), to(recipient));
	});

	test.each([
		['+49 151 23456780', '49151234567801'],
		['+491*', '4415123456780'],
		['4912*', '4912345@g.us'],
		['AbC1@g.us', 'abc1@g.us'],
		['+52 1*', '5215512345678'],
	])('with %j on the list, not %s', (entry, recipient) => {
		const error = refused(() => check(list(entry), to(recipient)));
		expect(error.message).toBe('The credential does not allow messages to this recipient');
		expect(error.description).toMatch(
			/Only those who can edit the credential .* 'Send Messages To'\. No other attempt, .* helps\.$/,
		);
		expect(causeOf(error)).toBe('recipient_not_allowed');
	});

	test('one test number, in each spelling, and nobody else', () => {
		const limits = { sendTo: 'testNumber', testRecipient: '+52 1 55 1234 5678' };
		for (const id of ['525512345678', '5215512345678@c.us']) check(limits, to(id));
		expect(causeOf(refused(() => check(limits, to(STRANGER))))).toBe('recipient_not_allowed');
	});
});

test.each([
	['no value of an expression', { sendTo: undefined, sendToIsExpression: true }],
	['another word', { sendTo: 'Anyone' }],
	['an empty list', list(' \n\r\n')],
	['a star in the middle', list('+49*1')],
	['a beginning without a country code', list('0151*')],
	['no test number', { sendTo: 'testNumber', testRecipient: '' }],
	['a line that is not read, after one that is', list('4915123456780\nAnna')],
	['a carriage return within a line', list(`Ada=${STRANGER}\r=Bob`)],
	['a test number without a country code', { sendTo: 'testNumber', testRecipient: '0151 2345678' }],
])('with %s, nobody gets a message', (_, limits) => {
	for (const request of [to(STRANGER), { method: 'POST', path: path('terminate') }]) {
		const error = refused(() => check(limits, request));
		expect(error.message).toMatch(/'(Send Messages To|Allowed Recipients|Test Recipient)'/);
		expect(error.message).not.toMatch(/Anna|151/);
		expect(causeOf(error)).toBe('invalid_setup');
	}
	check(limits, { method: 'GET', path: path('status') });
	check(limits, {
		method: 'POST',
		path: path('invite-info'),
		body: Buffer.from('{"inviteCode":"x"}'),
	});
});

test.each([
	['has no recipient', message({})],
	['has two recipients', message({ chatId: STRANGER, phone: STRANGER })],
	['has another name of a recipient', message({ chatId: STRANGER, to: STRANGER })],
	['has another field', message({ chatId: STRANGER, priority: 'high' })],
	[
		'has another field in its file',
		message({ chatId: STRANGER, media: { url: 'https://x.example' } }),
	],
	['has a number as its recipient', message({ chatId: 4915123456780 })],
	['has a recipient that can be read in two ways', to('4915123456780.0')],
	['has no body', { ...to(STRANGER), body: undefined }],
	...['G.US', 'g.us ', 'g.us\u200b', 'g.us\n', 'NEWSLETTER', 'newsletter\u2060'].map(
		(suffix): [string, ReturnType<typeof to>] => [
			`has the ID of a group or channel that ends in ${JSON.stringify(suffix)}`,
			to(`${STRANGER}@${suffix}`),
		],
	),
	[
		'has a byte order mark',
		{ ...to(STRANGER), body: Buffer.from(`\ufeff{"chatId":"${STRANGER}"}`) },
	],
	[
		'has a name twice',
		{ ...to(STRANGER), body: Buffer.from(`{"chatId":"${STRANGER}","ch\\u0061tId":"${STRANGER}"}`) },
	],
])('a request that %s is not sent, whoever is allowed', (_, request) => {
	const someone = list('+49*\ngroups\nchannels');
	for (const limits of [someone, { sendTo: 'testNumber', testRecipient: STRANGER }]) {
		const error = refused(() => check(limits, request));
		expect(error.message).toMatch(/^The credential does not allow this request: /);
		expect(causeOf(error)).toBe('request_not_allowed');
	}
});

test.each(['start', 'refresh', 'terminate', 'sendMessage', 'sendMedia'])(
	'in a rehearsal, %s is not sent',
	(name) => {
		const error = refused(() => check({ sendTo: 'nobody' }, { ...to(STRANGER), path: path(name) }));
		expect(causeOf(error)).toBe('rehearsal');
	},
);
