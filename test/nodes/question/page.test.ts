import { PAGE_HEADERS } from '../../../nodes/MessagingGateway/question/html';
import { answeredPage, questionPage } from '../../../nodes/MessagingGateway/question/page';
import type { Form } from '../../../nodes/MessagingGateway/question/question';

const form: Form = {
	kind: 'form',
	title: 'Order',
	text: 'Which one?',
	submit: 'Send',
	fields: [
		{
			name: 'note',
			label: 'Note',
			type: 'textarea',
			isRequired: false,
			placeholder: '',
			choices: [],
		},
	],
};

test('a long text keeps its first line break, although browsers drop the first one in a text area', () => {
	const page = questionPage(form, 'en', { entered: [['\nHi']], errors: ['enterText'] });
	const [, shown = ''] = /<textarea[^>]*>([^<]*)</.exec(page)!;
	expect(shown.replace(/^\n/, '')).toBe('\nHi');
});

test('no other page can show the question in a frame, which could make the user click', () => {
	expect(PAGE_HEADERS['Content-Security-Policy'].split('; ')).toContain("frame-ancestors 'none'");
});

const repeated = (page: string) =>
	[
		...page.matchAll(/<dt><bdi>([^]*?)<\/bdi><\/dt><dd class="text"><bdi>([^]*?)<\/bdi><\/dd>/g),
	].map(([, label, value]) => [label, value]);

test('the answers to a form are repeated, those that were given', () => {
	const field = form.fields[0]!;
	const question: Form = {
		...form,
		fields: [
			{ ...field, name: 'a', label: 'Which?' },
			{ ...field, name: 'b', label: 'How many?' },
			{ ...field, name: 'c', label: 'Colors' },
			{ ...field, name: 'd', label: 'Note' },
		],
	};
	const data = { a: 'x & y', b: 0, c: ['red', 'blue'], d: '' };
	expect(repeated(answeredPage(question, 'en', data))).toEqual([
		['Which?', 'x &amp; y'],
		['How many?', '0'],
		['Colors', 'red, blue'],
	]);
});
