import { styled } from '../../../nodes/MessagingGateway/ask/html';

test.each([
	['Which *one*?', 'Which <strong>one</strong>?'],
	['_now_ or ~later~', '<em>now</em> or <s>later</s>'],
	['*_both_*', '<strong><em>both</em></strong>'],
	['`a*b*c` and ```x\n*y*```', '<code>a*b*c</code> and <code>x\n*y*</code>'],
	['snake_case_name, 2*3*4, a * b * c', 'snake_case_name, 2*3*4, a * b * c'],
	['https://x.example/*a*_b_', 'https://x.example/*a*_b_'],
	['- Mon\n  * *Tue*\n1. Wed', '• Mon\n  • <strong>Tue</strong>\n1. Wed'],
	['```\n- a\n```\n`- b` - c\n-d\n- ', '<code>- a\n</code>\n<code>- b</code> - c\n-d\n- '],
	['*<b>*', '<strong>&#60;b&#62;</strong>'],
	['*it\'s* "_so_"', '<strong>it&#39;s</strong> &#34;<em>so</em>&#34;'],
])('%j becomes HTML that looks like the chat', (text, expected) => {
	expect(styled(text)).toBe(expected);
});
