import { useGateway } from '../../harness/sandboxAccount';
import { ask as askIn, form as formOf } from './ask';

const gateway = useGateway();

const ask = async (pageLanguage: string, { options, ...parameters }: Parameters = {}) =>
	await askIn(gateway, { ...parameters, options: { ...options, pageLanguage } });

interface Parameters {
	options?: object;
	[name: string]: unknown;
}

const GERMAN = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' };
const double = { approvalOptions: { values: { approvalType: 'double', approveLabel: 'Approve' } } };
const pageOf = (html: string) => [
	/<html lang="(.*?)" dir="(.*?)">/.exec(html)!.slice(1).join(' '),
	/<h1 dir="auto">(.*?)<\/h1>/.exec(html)![1],
	...[...html.matchAll(/<button.*?>(.*?)<\/button>/g)].map(([, label]) => label),
];

test.each([
	['en', ['en ltr', 'Please respond', 'Approve', 'Decline']],
	['automatic', ['de ltr', 'Bitte antworten Sie', 'Zustimmen', 'Ablehnen']],
	['ar', ['ar rtl', 'يرجى الرد', 'موافقة', 'رفض']],
])('the page in the language %j, for a German browser', async (language, expected) => {
	const { get, link } = await ask(language, double);
	expect(pageOf((await get(link, GERMAN)).html)).toEqual(expected);
	// A browser that does not say its language.
	const fixed = language === 'automatic' ? 'en ltr' : expected[0];
	expect(pageOf((await get(link)).html)[0]).toBe(fixed);
});

test('the texts of the owner stay as entered', async () => {
	const { get, link, text } = await ask('ar', {
		...formOf({ fieldLabel: 'Decline', fieldType: 'text', placeholder: 'Submit' }),
		options: { responseFormTitle: 'Order!', responseFormButtonLabel: 'Go', linkLabel: 'Here:' },
	});
	expect(text).toContain('\n\nHere:\nhttps:');
	const { html } = await get(link);
	expect(pageOf(html)).toEqual(['ar rtl', 'Order!', 'Go']);
	for (const own of ['<span dir="auto">Decline</span>', ' placeholder="Submit"'])
		expect(html).toContain(own);
});

test.each([
	['de', 'Hier antworten:'],
	['automatic', 'Answer here:'],
])(
	'the label of the link is in the language %s too, as far as it is known',
	async (language, label) => {
		expect((await ask(language)).text).toContain(`\n\n${label}\nhttps:`);
	},
);

const form = formOf(
	{ fieldLabel: 'Day', fieldType: 'date', requiredField: true },
	{ fieldLabel: 'Amount', fieldType: 'number' },
);

test('a rejected answer and its repetition are in the language of the page, the item is not', async () => {
	const { post, link } = await ask('automatic', form);
	const { html } = await post(link, { 'field-1': 'x' }, GERMAN);
	expect(html).toContain('<span class="required">(Pflichtfeld)</span>');
	expect(
		[...html.matchAll(/class="(?:error|alert)".*?>(.*?)<\/p>/g)].map(([, text]) => text),
	).toEqual([
		'Ihre Antwort wurde noch nicht gesendet. Bitte prüfen Sie sie.',
		'Geben Sie ein Datum ein, z. B. 2026-12-31.',
		'Geben Sie eine Zahl ein, z. B. 12.5.',
	]);
	const answered = await post(link, { 'field-0': '2026-03-04', 'field-1': '1234.5' }, GERMAN);
	expect(pageOf(answered.html)).toEqual(['de ltr', 'Vielen Dank']);
	expect([...answered.html.matchAll(/<dd.*?><bdi>(.*?)<\/bdi>/g)].map(([, text]) => text)).toEqual([
		'4. März 2026',
		'1234,5',
	]);
	expect(answered.resumed!.items[0]!.json.data).toMatchObject({
		Day: '2026-03-04',
		Amount: 1234.5,
	});
});

test('the label of a free text and the decision of a button are repeated in the language', async () => {
	const repeated = (html: string) => /<dl>(.*)<\/dl>/.exec(html)![1]!.replaceAll(/<[^>]*>/g, ' ');
	const text = await ask('uk', { responseType: 'freeText' });
	expect((await text.get(text.link)).html).toContain('<span dir="auto">Ваша відповідь</span>');
	const answered = await text.post(text.link, { 'field-0': 'Yes' });
	expect(repeated(answered.html)).toMatch(/^ +Ваша відповідь +Yes +$/);
	const approval = await ask('fr', double);
	const declined = await approval.post(approval.link, { approved: 'false' });
	expect(repeated(declined.html)).toMatch(/^ +Votre réponse +Refuser +$/);
});

test('the pages without a question are in the language of the question', async () => {
	const { get, post, link } = await ask('automatic', form);
	const invalid = await get(link.replace(/signature=\w+/, 'signature=x'), GERMAN);
	const closed = await get(link.replace('run=0', 'run=1'), GERMAN);
	const tooLong = await post(link, { 'field-1': 'x'.repeat(100_001) }, GERMAN);
	expect([invalid, closed, tooLong].map(({ status, html }) => [status, pageOf(html)[1]])).toEqual([
		[403, 'Ungültiger Link'],
		[410, 'Frage geschlossen'],
		[413, 'Antwort zu lang'],
	]);
	expect(tooLong.html).toContain('kürzen Sie sie auf 100.000 Zeichen.');
	for (let attempt = 0; attempt < 10; attempt += 1) await post(link, { 'field-1': 'x' }, GERMAN);
	expect(pageOf((await post(link, { 'field-1': 'x' }, GERMAN)).html)[1]).toBe('Zu viele Versuche');
});
