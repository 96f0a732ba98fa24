import { PAGE_HEADERS, questionPage } from '../../../nodes/MessagingGateway/question/page';
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
	const page = questionPage(form, { entered: [['\nHi']], errors: ['Too short.'] });
	const [, shown = ''] = /<textarea[^>]*>([^<]*)</.exec(page)!;
	expect(shown.replace(/^\n/, '')).toBe('\nHi');
});

test('no other page can show the question in a frame, which could make the user click', () => {
	expect(PAGE_HEADERS['Content-Security-Policy'].split('; ')).toContain("frame-ancestors 'none'");
});
