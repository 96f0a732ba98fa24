import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatTime } from '../../sandbox/phone/page/base/format';
import { formatPhoneNumber, preview } from '../../sandbox/phone/page/chats/chatNames';

test('times have no leading zero on a 12-hour clock', () => {
	// en-US, as everywhere in the tests. Some versions of Node write a narrow space.
	expect(formatTime('2026-01-05T09:05:00').replace(/\s/g, ' ')).toBe('9:05 AM');
});

test.each([
	['447700900123', '+44 7700900123'],
	['12025550143', '+1 2025550143'],
	['4915112345678', '+49 15112345678'],
	['33612345678', '+33 612345678'],
	['6581234567', '+65 81234567'],
	['3725123456', '+372 5123456'],
	['12345', '+1 2345'],
])('shows the phone number %s as %s', (digits, text) => {
	expect(formatPhoneNumber(digits)).toBe(text);
});

const bubble = { id: '1', state: 'sent', kind: 'text', at: '2026-01-05T09:05:00' } as const;

test.each([
	['*Hello* _Ada_, your ~table~ `is` ready', 'Hello Ada, your table is ready'],
	['# 1 * 2 = 2', '# 1 * 2 = 2'],
	['> You asked\n- one\n- two', 'You asked • one • two'],
	['```\nconst a = 1;\n```', 'const a = 1;'],
])('the preview of %j shows no marks', (text, shown) => {
	expect(preview({ ...bubble, text })).toBe(shown);
});

test.each([
	'sandbox/phone/page/base/theme.css',
	'workflows/3-pair-a-phone.json',
	'nodes/MessagingGateway/question/html.ts',
])('%s uses the accent colors of all our pages', (path) => {
	const source = readFileSync(join(__dirname, '../..', path), 'utf8');
	for (const color of ['#0b6b58', '#6fd6be']) expect(source).toContain(color);
});
