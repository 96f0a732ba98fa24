import { answeredPage, questionPage } from '../../../nodes/MessagingGateway/ask/page';
import { type Question, TEXT_AREA } from '../../../nodes/MessagingGateway/ask/question';

const field = { ...TEXT_AREA, name: 'note', label: 'Note' };
const form: Question = {
	...{ title: 'Order', text: 'Which one?', language: 'en', fields: [field] },
	buttons: { submit: 'Send' },
};

test('a long text keeps its first line break, although browsers drop the first one in a text area', () => {
	const page = questionPage(form, 'en', { entered: [['\nHi']], errors: ['enterText'] });
	const [, shown = ''] = /<textarea[^>]*>([^<]*)</.exec(page)!;
	expect(shown.replace(/^\n/, '')).toBe('\nHi');
});

test('the answers to a form are repeated, those that were given', () => {
	const names = ['Which?', 'How many?', 'Colors', 'Note'];
	const question = { ...form, fields: names.map((name) => ({ ...field, name, label: name })) };
	const data = { 'Which?': 'x & y', 'How many?': 0, Colors: ['red', 'blue'], Note: '' };
	const page = answeredPage(question, 'en', [data]);
	const [shown] = /(?<=<dl>).*(?=<\/dl>)/.exec(page)!;
	expect(shown.replaceAll(/<[^>]+>+/g, ' ').split(/ {2,}/)).toEqual([
		...['', 'Which?', 'x &#38; y', 'How many?', '0', 'Colors', 'red, blue', ''],
	]);
});
