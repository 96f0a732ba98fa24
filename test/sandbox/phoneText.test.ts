import { preview } from '../../dev/sandbox/phone/page/chats/chatNames';
import { type Block, chatBlocks } from '../../dev/sandbox/phone/page/chats/chatText';

/** Short: {bold text}, with the styles in front. */
const shown = (text: string) =>
	chatBlocks(text).map(({ kind, pieces, indent }: Block) =>
		[
			kind === 'line' ? '' : `${kind}${indent ? ` ${indent}` : ''}| `,
			...pieces.map(({ text: piece, styles, url }) => {
				const names = [...styles, ...(url === undefined ? [] : ['link'])].join(' ');
				return names ? `{${names}: ${piece}}` : piece;
			}),
		].join(''),
	);

test.each([
	[
		'Hello *Ada*, _see_ ~you~ `now`',
		['Hello {bold: Ada}, {italic: see} {strike: you} {code: now}'],
	],
	['*Hi _Ada_*!', ['{bold: Hi }{bold italic: Ada}!']],
	['2 * 3 * 4, snake_case_name, ~5 km, ~10 min', ['2 * 3 * 4, snake_case_name, ~5 km, ~10 min']],
	['*one\ntwo*', ['*one', 'two*']],
	['`*a*` ```b`c```', ['{code: *a*} {code: b`c}']],
	['- a\n  - *b*\n5. c\n* d', ['item| • a', 'item 2| • {bold: b}', 'item| 5. c', 'item| • d']],
	['> a *b*\n> - c\nd', ['quote| a {bold: b}', 'quote| • c', 'd']],
	['Run:\n```\n*a*\n\n- b\n```\nDone', ['Run:', 'code| *a*\n\n- b', 'Done']],
	[
		'See https://a.example/_b_/c_d*e*?f=1, (http://b.example).',
		['See {link: https://a.example/_b_/c_d*e*?f=1}, ({link: http://b.example}).'],
	],
	[
		'javascript:alert(1) data:text/html,a ftp://a.example',
		['javascript:alert(1) data:text/html,a ftp://a.example'],
	],
	['שלום *עולם* 🎉*a*🎉', ['שלום {bold: עולם} 🎉{bold: a}🎉']],
])('reads %j', (text, expected) => {
	expect(shown(text)).toEqual(expected);
});

test('a preview shows no marks', () => {
	const bubble = { id: '1', state: 'sent', kind: 'text', at: '2026-01-05T09:05:00' } as const;
	const text = '> *Hello* _Ada_\n- `one`\n```\nconst a = 1;\n```';
	expect(preview({ ...bubble, text })).toBe('Hello Ada • one const a = 1;');
});
