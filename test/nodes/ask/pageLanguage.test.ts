import { useGateway } from '../../harness/sandboxAccount';
import { ask as askIn, form as formOf } from './ask';

const gateway = useGateway();

const ask = async (pageLanguage: string, parameters: object = {}) =>
	await askIn(gateway, { ...parameters, options: { pageLanguage } });

const GERMAN = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' };
const double = { approvalOptions: { values: { approvalType: 'double', approveLabel: 'Approve' } } };
const pageOf = (html: string) => [
	/<html lang="(.*?)" dir="(.*?)">/.exec(html)!.slice(1).join(' '),
	/<h1 dir="auto">(.*?)<\/h1>/.exec(html)![1],
	...[...html.matchAll(/<button.*?>(.*?)<\/button>/g)].map(([, label]) => label),
];
const shown = (html: string, pattern: RegExp) =>
	[...html.matchAll(pattern)].map(([, text]) => text);

test.each([
	['automatic', ['de ltr', 'Bitte antworten Sie', 'Zustimmen', 'Ablehnen'], 'Answer here:'],
	['ar', ['ar rtl', 'يرجى الرد', 'موافقة', 'رفض'], 'للرد:'],
])('page and link in the language %j, for a German browser', async (language, expected, label) => {
	const { get, link, text } = await ask(language, double);
	expect(text).toContain(`\n\n${label}\nhttps:`);
	expect(pageOf((await get(link, GERMAN)).html)).toEqual(expected);
	// A browser that does not say its language.
	const fixed = language === 'automatic' ? 'en ltr' : expected[0];
	expect(pageOf((await get(link)).html)[0]).toBe(fixed);
});

const form = formOf(
	{ fieldLabel: 'Day', fieldType: 'date', requiredField: true },
	{ fieldLabel: 'Amount', fieldType: 'number' },
);

test('a rejected answer and its repetition are in the language of the page, the item is not', async () => {
	const { post, link } = await ask('automatic', form);
	const { html } = await post(link, { 'field-1': 'x' }, GERMAN);
	expect(html).toContain('<span class="required">(Pflichtfeld)</span>');
	expect(shown(html, /class="(?:error|alert)".*?>(.*?)<\/p>/g)).toEqual([
		'Ihre Antwort wurde noch nicht gesendet. Bitte prüfen Sie sie.',
		'Geben Sie ein Datum ein, z. B. 2026-12-31.',
		'Geben Sie eine Zahl ein, z. B. 12.5.',
	]);
	const answered = await post(link, { 'field-0': '2026-03-04', 'field-1': '1234.5' }, GERMAN);
	expect(pageOf(answered.html)).toEqual(['de ltr', 'Vielen Dank']);
	expect(shown(answered.html, /<dd.*?><bdi>(.*?)<\/bdi>/g)).toEqual(['2026-03-04', '1234.5']);
	const data = { Day: '2026-03-04', Amount: 1234.5 };
	expect(answered.resumed!.items).toMatchObject([{ json: { data } }]);
});

test('the pages without a question are in the language of the question', async () => {
	const { get, post, link } = await ask('automatic', form);
	const pages = [
		await get(link.replace(/signature=\w+/, 'signature=x'), GERMAN),
		await get(link.replace('run=0', 'run=1'), GERMAN),
		await post(link, { 'field-1': 'x'.repeat(100_001) }, GERMAN),
	];
	expect(pages.map(({ status, html }) => [status, pageOf(html)[1]])).toEqual([
		[403, 'Ungültiger Link'],
		[410, 'Frage geschlossen'],
		[413, 'Antwort zu lang'],
	]);
	expect(pages[2]!.html).toContain('kürzen Sie sie auf 100000 Zeichen.');
	// It does not repeat the answer.
	expect(pages[2]!.html.length).toBeLessThan(10_000);
});
