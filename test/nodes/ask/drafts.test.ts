import fc from 'fast-check';

import { anyText } from '../../harness/anyText';
import { depth, seedFrom } from '../../harness/depth';
import { run, type RunOptions } from '../../harness/engine';
import { useGateway } from '../../harness/sandboxAccount';
import { ask as askIn, question } from './ask';

const gateway = useGateway();

const PARAMETERS = {
	...{ responseType: 'eachItem', draftRecipient: '={{ $json.to }}', draft: '={{ $json.text }}' },
	...{ allowEdits: true, options: { missingValues: 'send' } },
};
const itemsOf = (texts: string[]) => texts.map((text) => ({ json: { to: '4915123456789', text } }));
const ask = async (texts: string[], more: object = {}, others: Partial<RunOptions> = {}) =>
	await askIn(gateway, { ...PARAMETERS, ...more }, { items: itemsOf(texts), ...others });

const unescaped = (html: string) =>
	html.replace(/&#(34|38|39|60|62);/g, (_, code) => String.fromCharCode(Number(code)));
const all = (html: string, pattern: RegExp) =>
	[...html.matchAll(pattern)].map(([, found]) => found!);

const HIDING = /(?![\t\n])[\p{Cc}\p{Bidi_C}\u00ad\u200b\u2028\u2029\u2800\ufeff]/u;

/** The texts that a person sees. */
const shownIn = (html: string) =>
	all(html, /<p class="text" id="tick-\d+" dir="auto">([^]*?)<\/p>/g).map((shown) => {
		expect(shown).not.toContain('<');
		expect(shown).not.toMatch(HIDING);
		return unescaped(shown);
	});
/** What the text areas contain, as a browser reads them. */
const areasIn = (html: string) =>
	all(html, /<textarea[^>]*>\n([^<]*)<\/textarea>/g).map((area) =>
		unescaped(area).replaceAll('\0', '\ufffd').replace(/\r\n?/g, '\n'),
	);
const asSent = (text: string) => text.toWellFormed().replace(/\n/g, '\r\n');

/** What a browser sends for these ticks and edits. */
const bodyOf = (html: string, ticks: boolean[], edits: Array<string | undefined> = []) => {
	const areas = areasIn(html);
	const of = (index: number): Array<[string, string]> => [
		[`field-${index}`, asSent(edits[index] ?? areas[index]!)],
		...(ticks[index] ? [[`tick-${index}`, 'true'] as [string, string]] : []),
	];
	return { approved: 'true', ...Object.fromEntries(ticks.flatMap((_, index) => of(index))) };
};

/** Characters that hide, reorder or end something, in a page or in a chat. */
const HOSTILE = [
	...'\u202e\u2066\u200f\u200b\u00ad\ufeff\u2028\u{e0041}\u2800\u200d\ufe0f\0\r\n\t\ud800*',
	...['👩‍👧', '\r\n', '<!--', '</p>', '<mark>', '&lt;', '\\u202e'],
];
const text = fc
	.array(fc.oneof(anyText({ maxLength: 8 }), fc.constantFrom(...HOSTILE)), { maxLength: 12 })
	.map((parts) => `x${parts.join('')}`);

test('what leaves is exactly what the page showed or the user wrote, in the order of the items', async () => {
	const item = fc.record({
		written: text,
		isTicked: fc.boolean(),
		edit: fc.option(text, { nil: undefined }),
	});
	const property = fc.asyncProperty(
		fc.array(item, { minLength: 1, maxLength: 8 }),
		async (given) => {
			const items = [{ ...given[0]!, isTicked: true }, ...given.slice(1)];
			const { get, post, link } = await ask(items.map(({ written }) => written));
			const { html } = await get(link);
			const shown = shownIn(html);
			const body = bodyOf(
				html,
				items.map(({ isTicked }) => isTicked),
				items.map(({ edit }) => edit),
			);
			const { resumed } = await post(link, { data: body });
			expect(areasIn(html)).toEqual(shown);
			const expected = items.map(({ isTicked, edit }, index) => {
				const text = asSent(edit ?? shown[index]!).replace(/\r\n?/g, '\n');
				const decided = { edited: text !== shown[index], text };
				const data = { approved: isTicked, draft: shown[index], ...(isTicked ? decided : {}) };
				return { json: { answered: true, data }, pairedItem: { item: index } };
			});
			expect(resumed!.items).toMatchObject(expected);
			const texts = resumed!.items.map(({ json }) => 'text' in (json.data as object));
			expect(texts).toEqual(items.map(({ isTicked }) => isTicked));
		},
	);
	await fc.assert(property, { numRuns: depth(30, 1_000), seed: seedFrom('DRAFTS_SEED') });
});

test('a page lists 200 items, none ticked, and no two differ without a visible sign', async () => {
	const texts = Array<string>(200).fill('Your table is booked.');
	texts[7] = 'Your table is booked 👩‍👧‍👦❤️‍🔥 1️⃣ می‌خواهم क्‍ष.';
	texts[123] = 'Your table is booked\u200d.';
	const { get, post, link, text: message } = await ask(texts);
	expect(message).toMatch(/^May we\?\n\nAnswer here:\n/);
	expect(gateway.requests()).toHaveLength(1);
	const { html } = await get(link);
	texts[123] = 'Your table is booked.';
	expect(shownIn(html)).toEqual(texts);
	expect(html).not.toMatch(/ checked|<script/);
	// The tick of all comes after the last item, and shows the page again.
	expect(html.indexOf('value="all"')).toBeGreaterThan(html.indexOf('id="tick-199"'));
	const ticked = await post(link, { data: { ...bodyOf(html, []), approved: 'all' } });
	expect(ticked.resumed).toBeUndefined();
	expect(all(ticked.html, /( checked)/g)).toHaveLength(200);
	const { resumed, html: answered } = await post(link, { data: bodyOf(html, texts.map(Boolean)) });
	expect(resumed!.items.map(({ json }) => (json.data as { text: string }).text)).toEqual(texts);
	expect(answered).toContain('200 of 200 approved');
});

const TICKED = { approved: 'true', 'tick-0': 'true' };
const LONG = `${'y'.repeat(4_096)}z`;

test.each<[string, object, string]>([
	['nothing ticked', { approved: 'true' }, 'Choose at least one.'],
	['two buttons', { approved: ['true', 'false'], 'tick-0': 'true' }, 'not sent yet'],
	['an unknown button', { approved: 'TRUE', 'tick-0': 'true' }, 'not sent yet'],
	['no button', { 'tick-0': 'true', decision: 'send' }, 'not sent yet'],
	['a tick of another page', { approved: 'true', 'tick-2': 'true' }, 'Choose at least one.'],
	['another tick', { approved: 'true', 'tick-0': ['true', 'false'] }, 'Choose at least one.'],
	['an edited text of 4,097 characters', { ...TICKED, 'field-1': LONG }, 'Enter at most 4096'],
	['an empty text', { ...TICKED, 'field-0': ' ' }, 'Enter a value.'],
])('%s decides nothing, and the page keeps what was entered', async (_name, body, said) => {
	const { post, link } = await ask(['First', 'Second']);
	const { status, resumed, html } = await post(link, { data: { 'field-0': 'Mine', ...body } });
	expect([status, resumed]).toEqual([422, undefined]);
	expect(html).toContain(said);
	expect(html.includes('Mine')).toBe(!Object.hasOwn(body, 'field-0'));
	// The text that is not sent is struck through.
	expect(html).toMatch(/class="text replaced" id="tick-0" dir="auto">First</);
});

test('declines all, and ignores edits if the author does not allow them', async () => {
	const declined = await ask(['First', 'Second']);
	const { resumed } = await declined.post(declined.link, { approved: 'false', 'tick-0': 'true' });
	const of = (draft: string) => ({ approved: false, recipient: '4915123456789', draft });
	expect(resumed!.items).toMatchObject([
		{ json: { data: of('First') } },
		{ json: { data: of('Second') } },
	]);
	const fixed = await ask(['First'], { allowEdits: false });
	expect((await fixed.get(fixed.link)).html).not.toContain('<textarea');
	const body = { approved: 'true', 'tick-0': 'true', 'field-0': 'Mine' };
	const { items } = (await fixed.post(fixed.link, body)).resumed!;
	expect(items).toMatchObject([{ json: { data: { text: 'First', edited: false } } }]);
});

test('shows the names of the credential, and outputs them', async () => {
	const allowedRecipients = 'Ada Lovelace = +49 151 23456789';
	const account = { ...gateway.account, sendTo: 'allowed', allowedRecipients };
	const items = [{ json: { to: ' ADA lovelace', text: 'Hi' } }, ...itemsOf(['Ho'])];
	const { get, post, link } = await askIn(
		gateway,
		{ ...PARAMETERS, chatId: 'ada Lovelace' },
		{ items, account },
	);
	const { html } = await get(link);
	const shown = ['Ada Lovelace', '+4915123456789'];
	expect(all(html, /\/2<\/span> <bdi>(.*?)<\/bdi>/g)).toEqual(shown);
	expect(all(html, /<summary>Edit <bdi>(.*?)<\/bdi>/g)).toEqual(shown);
	const { resumed } = await post(link, { data: bodyOf(html, [true, true]) });
	expect(resumed!.items.map(({ json }) => (json.data as { recipient: string }).recipient)).toEqual([
		...['Ada Lovelace', '4915123456789'],
	]);
});

const TWO = itemsOf(['a', 'b']);
const UNREADABLE = '={{ $itemIndex ? "x" : "+4915123456789" }}';

test.each<[string, object, typeof TWO, string]>([
	['201 items', {}, itemsOf(Array<string>(201).fill('x')), 'at most 200 messages, not 201'],
	['two approvers', { chatId: '=49151{{ 23456780 + $itemIndex }}' }, TWO, "'Chat ID' is not the"],
	['two questions', { message: '={{ $json.text }}' }, TWO, "'Message' is not the same"],
	['an unreadable recipient', { draftRecipient: UNREADABLE }, TWO, "'Recipient of item 1' cannot"],
	['no text', { draft: '={{ $itemIndex ? "" : "x" }}' }, TWO, "'Draft of item 1' is empty"],
])('%s are rejected before anything is sent', async (_name, more, items, message) => {
	const options = question(gateway, { ...PARAMETERS, ...more }, { items });
	expect((await run(options)).error?.message).toContain(message);
	const settings = { onError: 'continueRegularOutput' as const };
	const { items: failed } = await run({ ...options, settings });
	const error = expect.stringContaining(message) as string;
	expect(failed).toMatchObject(items.map((_, item) => ({ json: { error }, pairedItem: { item } })));
	expect(gateway.requests()).toEqual([]);
});

test('every item goes on without an answer after the time limit', async () => {
	const { timeOut } = await ask(['a', 'b']);
	expect((await timeOut()).items).toMatchObject(
		['a', 'b'].map((text, item) => ({ json: { text, answered: false }, pairedItem: { item } })),
	);
});
