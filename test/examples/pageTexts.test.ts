import { runInNewContext } from 'node:vm';

import { LANGUAGES } from '../../nodes/MessagingGateway/ask/texts';
import { codeOf, type Fields, fieldsOf, parametersOf, runCode } from '../harness/exampleCode';

const TABLES = /^const COMMON = .*?^const OWN_TEXTS = .*?^\};/ms.exec(codeOf('Page texts'))![0];
const MERGED =
	'Object.fromEntries(Object.keys(COMMON).map((each) => [each, { ...COMMON[each], ...OWN_TEXTS[each] }]))';
const TEXTS = runInNewContext(`${TABLES}\n${MERGED}`) as Record<string, Record<string, string>>;
const ENGLISH = TEXTS.en!;

interface Visit {
	/** None if the link is invalid. */
	campaign?: Fields;
	accepts?: string;
	/** Whether the button was pressed, in a message to the test number or another one, and what Store opt-out then outputs. */
	isPressed?: boolean;
	isTest?: boolean;
	stored?: Fields;
	optOut?: Fields;
}

function pageOf({ campaign, accepts, isPressed = false, isTest, stored, optOut = {} }: Visit) {
	const opened = { headers: { 'accept-language': accepts } };
	type Page = Record<'language' | 'direction' | 'title' | 'text' | 'form' | 'sender', string>;
	const [page] = runCode<Page>('Page texts', {
		nodes: {
			'Link opened': isPressed ? undefined : [opened],
			'Button pressed': isPressed ? [opened] : undefined,
			Campaign: campaign && [campaign],
			Link: [{ token: 'this' }],
			'Only a test?': campaign && isPressed ? [{}] : undefined,
			'Store opt-out':
				campaign && isPressed && !isTest ? [stored ?? { id: 1, token: 'this' }] : undefined,
			'Opt-out': campaign && !isPressed ? [optOut] : undefined,
		},
	});
	return page!;
}

const button = ({ form }: { form: string }) =>
	/^<form method="post"><button>(.*)<\/button><\/form>$/.exec(form)?.[1];

test('has all texts in the languages of the question page', () => {
	expect(Object.keys(TEXTS).sort()).toEqual(Object.keys(LANGUAGES).sort());
	for (const texts of Object.values(TEXTS))
		expect(Object.keys(texts)).toEqual(Object.keys(ENGLISH));
});

test.each([
	['the question', {}, 'title', 'text', true],
	['what happened after the button', { isPressed: true }, 'done', 'back', false],
	['what happened before', { optOut: { id: 7 } }, 'done', 'back', false],
] as const)('shows %s', (_, visit, title, text, hasButton) => {
	const page = pageOf({ campaign: { language: 'en' }, ...visit });
	expect(page).toMatchObject({
		...{ status: 200, language: 'en', direction: 'ltr' },
		...{ title: ENGLISH[title], text: ENGLISH[text] },
	});
	expect(button(page)).toBe(hasButton ? 'Stop the messages' : undefined);
});

const CAMPAIGN = { language: 'de', name: 'Spring', sender: 'A & B', contact: '+44 7700 900123' };

test('names the sender, how to reach them, and the campaign, on each page of a valid link', () => {
	const isPressed = true;
	for (const visit of [{}, { isPressed }, { isPressed, isTest: true }, { optOut: { id: 7 } }]) {
		const { sender } = pageOf({ campaign: CAMPAIGN, ...visit });
		const phone = '<a href="tel:+447700900123">+44 7700 900123</a>';
		expect(sender).toBe(`A &#38; B · ${phone} · Spring`);
	}
	expect(pageOf({}).sender).toBe('');
	const { responseBody } = parametersOf('13-campaign-opt-out', 'Page');
	expect(responseBody).toContain('<p><small>{{ $json.sender }}</small></p>');
});

test('says that nothing is stored if the message went to the test number', () => {
	const page = pageOf({ campaign: CAMPAIGN, isPressed: true, isTest: true });
	const text = 'Diese Nachricht war nur ein Test, deshalb wurde nichts gespeichert.';
	expect(page).toMatchObject({ status: 200, title: 'Nicht gespeichert', text, form: '' });
});

// Nobody reads replies here. With these words, each language had told people to reply.
test('no text sends people to a chat', () => {
	const all = Object.values(TEXTS).flatMap((texts) => Object.values(texts));
	expect(all.length).toBeGreaterThan(150);
	const chat = /chat|دردشة|चैट|チャット|czat|sohbet|(^| )чат|聊天/i;
	expect(all.filter((text) => chat.test(text))).toEqual([]);
});

// A failed upsert outputs its input, which is the row of the campaign and has an id, too.
test('says 503 if the table did not return the opt-out', () => {
	for (const stored of [{ id: 3, name: 'Spring offer' }, { token: 'this' }, {}]) {
		const page = pageOf({ campaign: { language: 'de' }, isPressed: true, stored });
		expect(page).toMatchObject({ status: 503, title: 'Nicht gespeichert', form: '' });
	}
});

test('says 404 for an invalid link, in the language of the browser', () => {
	for (const isPressed of [false, true]) {
		const page = pageOf({ accepts: 'de', isPressed });
		expect(page).toMatchObject({ status: 404, language: 'de', title: 'Ungültiger Link', form: '' });
	}
});

test.each([
	['de', 'fr', 'de ltr', 'Keine Nachrichten mehr?'],
	['ar-EG', '', 'ar-EG rtl', 'إيقاف الرسائل؟'],
	['', 'en;q=0.1,uk;q=0.2', 'uk ltr', 'Більше не надсилати повідомлень?'],
	['', 'sv, fr;q=0', 'en ltr', 'No more messages?'],
	['sv', 'de', 'sv ltr', 'No more messages?'],
])('the campaign has the language %j, the browser %j', (language, accepts, expected, title) => {
	const page = pageOf({ campaign: { language }, accepts });
	expect([`${page.language} ${page.direction}`, page.title]).toEqual([expected, title]);
});

test('nothing of a campaign is HTML', () => {
	const bad = `"><script>'&`;
	const page = pageOf({
		campaign: { language: bad, optOutTitle: bad, optOutText: bad, optOutButton: bad },
	});
	const safe = '&#34;&#62;&#60;script&#62;&#39;&#38;';
	expect([page.language, page.title, page.text, button(page)]).toEqual([safe, safe, safe, safe]);
});

// The translations repeat them: a text that differs would not be found.
test('the settings of a new campaign are the English texts', () => {
	const { title, text, button: label, done, back } = ENGLISH;
	expect(fieldsOf('13-campaign-prepare', 'Settings')).toMatchObject({
		...{ optOutTitle: title, optOutText: text, optOutButton: label },
		...{ optOutDone: done, optOutBack: back },
	});
});
