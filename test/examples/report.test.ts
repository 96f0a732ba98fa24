import { DateTime } from 'luxon';

import type { Fields } from '../harness/exampleCode';
import { campaign, row } from './decide';
import { report } from './report';

test.each([
	['Pause', 'draft', 'Nothing was changed: it is a draft. To send it, choose Start.'],
	['Start', 'paused', 'Nothing was changed: it is paused. To go on, choose Resume.'],
	['Start', 'stopped', 'Nothing was changed: a stopped campaign cannot be started again.'],
])('says why an action does not fit: %s, when it is %s', (action, status, sentence) => {
	const html = report({ action, campaigns: [campaign({ status })] });
	expect(html).toContain(`Spring: ${status}`);
	expect(html).toContain(sentence);
});

test('says why a campaign has paused itself, and how to go on', () => {
	const reason = 'The phone has logged the session out. Pair it again, then choose Resume';
	const sentence = `<p><strong>It has paused itself. ${reason}.</strong></p>`;
	expect(report({ campaigns: [campaign({ status: 'paused', reason })] })).toContain(sentence);
	for (const other of [campaign({ reason }), campaign({ status: 'paused', reason: '' })]) {
		expect(report({ campaigns: [other] })).not.toContain('It has paused itself');
	}
});

test('lists the names that exist if the name is unknown, and escapes them', () => {
	const campaigns = [campaign(), campaign({ id: 2, name: '<b>Sale' })];
	const html = report({ name: '<i>Other', campaigns });
	expect(html).toContain('<h1>There is no campaign “&#60;i&#62;Other”</h1>');
	expect(html).toContain('<li>Spring</li><li>&#60;b&#62;Sale</li>');
	expect(report({ campaigns: [] })).toContain('run “13. Campaign: prepare” first');
});

test('counts a row that is being sent once, so that the waiting rows are those that are due', () => {
	const [due, later] = ['2026-06-03T11:00:00.000Z', '2026-06-03T13:00:00.000Z'];
	const html = report({
		rows: [
			row(1, { status: 'sending', nextAttemptAt: later }),
			row(2, { status: 'pending', nextAttemptAt: later, reason: 'Outside of the send window' }),
			row(3, { status: 'pending', nextAttemptAt: due }),
			// Resumed: the reason is that of the decision before.
			row(4, { status: 'pending', nextAttemptAt: due, reason: 'The daily cap' }),
		],
	});
	expect(
		[...html.matchAll(/<th>(.*?)<\/th><td class="count">(\d+)/g)].map((all) => all.slice(1)),
	).toEqual([
		['Being sent', '1'],
		['Waiting', '3'],
	]);
	const [, waiting] = html.split('<h2>Waiting</h2>');
	expect(waiting!.match(/<tr>.*?<\/tr>/g)).toEqual([
		'<tr><td class="count">2</td><td>2026-06-03 12:00</td><td>In turn</td></tr>',
		'<tr><td class="count">1</td><td>2026-06-03 13:00</td><td>Outside of the send window</td></tr>',
	]);
});

test('times are those of the campaign, if its time zone is valid', () => {
	const rows = [row(1, { status: 'pending', nextAttemptAt: '2026-06-03T13:00:00.000Z' })];
	for (const [timezone, shown, at] of [
		['Europe/London', 'Europe/London', '14:00'],
		['Nowhere', 'UTC', '13:00'],
	]) {
		const html = report({ campaigns: [campaign({ timezone })], rows });
		expect(html).toContain(`Times are in the time zone ${shown}.`);
		expect(html).toContain(`<td>2026-06-03 ${at}</td>`);
	}
});

describe('messages that are due', () => {
	const minutesAgo = (minutes: number) =>
		DateTime.fromISO('2026-06-03T12:00:00Z').minus({ minutes }).toISO()!;
	const pending = (due: number, changed: number) => ({
		...{ id: 1, status: 'pending' },
		...{ nextAttemptAt: minutesAgo(due), updatedAt: minutesAgo(changed) },
	});
	const sent = (changed: number) => ({ ...pending(60, changed), status: 'sent' });
	const due = [sent(20), pending(10, 9), pending(-60, 9)];

	test('are reported if they were released three times without an attempt', () => {
		const released = (times: number) => ({
			...pending(10, 0),
			reason: `Released ${times} times without an attempt: n8n was too slow`,
		});
		expect(report({ rows: [released(3), released(2)] })).toContain('1 message makes no progress');
		const twice = report({ rows: [released(2)] });
		expect(twice).not.toContain('no progress');
		expect(twice).toContain('<td>Released 2 times without an attempt: n8n was too slow</td>');
	});

	test.each<[string, Fields[], string | undefined]>([
		['are reported with what to check if nothing has changed for minutes', due, '9'],
		['are reported in a campaign of any size', Array<Fields>(200_000).fill(pending(10, 9)), '9'],
		['are not if one was sent just now', [sent(1), pending(10, 9)], undefined],
		['are not if all are due later', [pending(-60, 9)], undefined],
	])('%s', (_, rows, minutes) => {
		const hint = /Messages are due, but nothing has changed for (\d+) minutes/;
		expect(hint.exec(report({ rows }))?.[1]).toBe(minutes);
	});
});

describe('a draft', () => {
	const TOKEN = '0123456789abcdef0123456789abcdef';
	const draft = campaign({ status: 'draft', run: '7', text: 'Hello {name}, 20 % off.' });
	const rowWith = (text: string, id = 1) => ({
		...{ id, status: 'draft', token: TOKEN },
		text: `${text}\n\nNo more messages: https://n8n.example.com/opt-out?c=1&t=${TOKEN}&s=${TOKEN}`,
	});
	/** The texts, with their counts. */
	const shown = (html: string) =>
		[...html.matchAll(/<p>(\d+) ×<\/p><p class="message">(.*?)<\/p>/gs)].map(([, count, text]) => [
			Number(count),
			text,
		]);

	test.each([
		['https://n8n.example.com', '4915123456789', undefined],
		['http://127.0.0.1:5678', '4915123456789', 'so it cannot be started'],
		['http://127.0.0.1:5678', '447700900200', 'can be started only because its numbers are'],
	])('warns of links to %s for %s', (origin, person, words) => {
		const text = rowWith('Hello').text.replace('https://n8n.example.com', origin);
		const html = report({ campaigns: [draft], rows: [{ ...rowWith(''), person, text }] });
		const [, warning] = /<p class="warning">(.*?)<\/p>/.exec(html) ?? [];
		if (words) expect(warning).toMatch(new RegExp(`start with ${origin}, which .*${words}`));
		else expect(warning).toBeUndefined();
	});

	// What is shown in the place of a value: steps.test.ts.
	test('shows every different text once, without name and link, and how to start it', () => {
		const names = ['Ada', 'Grace', 'Zoë'].map((name) => `Hello ${name}, 20 % off.`);
		const rows = [...names, 'Send money'].map((text, id) => rowWith(text, id));
		const html = report({ campaigns: [draft], rows });
		const link = 'No more messages: https://n8n.example.com/opt-out?c=1&#38;t=…&#38;s=…';
		expect(shown(html)).toEqual([
			[3, `Hello {name}, 20 % off.\n\n${link}`],
			[1, `Send money\n\n${link}`],
		]);
		expect(html).toContain('“13. Campaign: opt-out page” has to be published');
		expect(html).toContain('choose Start and enter <strong>7</strong> as Draft');
	});
});
