/** What agents write, and what the chat must get. Written by hand: [title, Markdown, chat text]. */
export const CORPUS: Array<[title: string, markdown: string, chat: string]> = [
	// Emphasis
	['bold', 'Your table is **booked**.', 'Your table is *booked*.'],
	['bold with underscores', 'This is __important__!', 'This is *important*!'],
	['italic in both spellings', 'an *early* and a _late_ train', 'an _early_ and a _late_ train'],
	['strike', '~~19 €~~ 15 €', '~19 €~ 15 €'],
	['bold and italic', 'This is ***really*** urgent', 'This is _*really*_ urgent'],
	['italic inside bold', '**All *new* offers**', '*All _new_ offers*'],
	['bold inside italic', '*a **b** c*', '_a *b* c_'],
	['bold inside a word', 'foo**bar**baz', 'foobarbaz'],
	['bold at the start of a word', '**Mon**day', 'Monday'],
	['bold in Chinese, which has no spaces', '这是**重点**内容', '这是重点内容'],
	['bold next to punctuation', '("**yes**", **no**)', '("*yes*", *no*)'],
	['bold over two lines', '**one\ntwo**', '*one*\n*two*'],
	['bold text with a star that would end it', '**C\\* algorithm**', 'C* algorithm'],
	['bold text with stars between spaces', '**2 * 3 * 4**', '*2 * 3 * 4*'],
	['bold with a space inside, which is no Markdown', '** not bold **', '** not bold **'],
	['bold with a non-breaking space inside', 'x **&nbsp;a** b', 'x \u00a0*a* b'],
	['bold around a link', '**[Docs](https://a.example)**', '*Docs*: https://a.example'],
	[
		'bold around text and a link',
		'**See [Docs](https://a.example/x) now**',
		'*See Docs*: https://a.example/x *now*',
	],
	['bold around code', '**Run `npm start` now**', '*Run* `npm start` *now*'],
	['adjacent styles', '**a** *b* ~~c~~', '*a* _b_ ~c~'],

	// Text that looks like Markdown or like the marks of chats
	['a multiplication', '2 * 3 * 4 = 24', '2 * 3 * 4 = 24'],
	['snake_case', 'Set max_retry_count and __init__.py', 'Set max_retry_count and *init*.py'],
	['a name with underscores at its ends', 'the _private_ field', 'the _private_ field'],
	['escaped marks', '\\*not italic\\* and 3 \\> 2 \\# 1', '*not italic* and 3 > 2 # 1'],
	['one tilde', 'about ~5 km, ~10 min', 'about ~5 km, ~10 min'],
	['a hashtag', '#sale starts now', '#sale starts now'],
	['a price', 'It costs $5 * 2 = $10', 'It costs $5 * 2 = $10'],
	['LaTeX', 'Let $a_1 + b_{2}$ be \\frac{1}{2}', 'Let $a_1 + b_{2}$ be \\frac{1}{2}'],
	['JSON', '{"user_id": 7, "tags": ["a", "b"]}', '{"user_id": 7, "tags": ["a", "b"]}'],
	['mentions', 'Thanks @john_doe_x and @4915112345678!', 'Thanks @john_doe_x and @4915112345678!'],
	[
		'phone numbers',
		'Call +49 151 23456789 or (030) 1234-5',
		'Call +49 151 23456789 or (030) 1234-5',
	],
	['a Windows path', 'C:\\Users\\ada\\my_file.txt', 'C:\\Users\\ada\\my_file.txt'],
	['a function call with an index', 'call handlers[name](event)', 'call handlers[name](event)'],
	['a label that is no link definition', '[INFO]: Done', '[INFO]: Done'],
	['a placeholder in angle brackets', 'git clone <your-repo>', 'git clone <your-repo>'],
	['comparisons', 'if a < b && c > d', 'if a < b && c > d'],
	['text in the marks of chats', 'a ~b~ c', 'a ~b~ c'],
	['plain text', 'Hello Ada, see you at 7 pm.', 'Hello Ada, see you at 7 pm.'],

	// Half-finished Markdown
	['unclosed bold', 'This is **important', 'This is **important'],
	['unclosed italic', 'This is *important', 'This is *important'],
	['unclosed code', 'Run `npm start', 'Run `npm start'],
	['an unclosed fence', 'Run:\n```bash\nnpm start', 'Run:\n```\nnpm start\n```'],
	['half a link', 'See [the docs](https://a.example/x', 'See [the docs](https://a.example/x'],
	['a link without its address', 'See [the docs]', 'See [the docs]'],
	['half a table', '| a | b |\n|--', '| a | b |\n|--'],
	['a lone fence', 'Done\n\n```', 'Done'],

	// Languages and emoji
	['emoji', '🎉 **Great news**🎉 *👍*', '🎉 *Great news*🎉 _👍_'],
	['an emoji of several characters', '**👩‍👩‍👧** 1️⃣ **First**', '*👩‍👩‍👧* 1️⃣ *First*'],
	[
		'right-to-left text',
		'שלום **עולם** - [אתר](https://a.example)',
		'שלום *עולם* - אתר: https://a.example',
	],
	['Arabic with a list', '## **مرحبا**\n- *أ*\n- ب', '*مرحبا*\n- _أ_\n- ب'],
	['accents as separate characters', 'cafe\u0301**s**', 'cafe\u0301s'],

	// Headings and paragraphs
	['headings', '# One\n\n## Two\n### Three ###', '*One*\n\n*Two*\n*Three*'],
	['a heading with bold and italic', '## The **big** *day*', '*The big _day_*'],
	['a heading with code', '### Set `maxTries`', '*Set* `maxTries`'],
	['an underlined heading', 'Offer\n=====\nText', '*Offer*\nText'],
	['line breaks', 'one\ntwo  \nthree\\\nfour', 'one\ntwo\nthree\nfour'],
	['many blank lines', 'one\n\n\n\ntwo', 'one\n\ntwo'],
	['Windows line ends', '# A\r\n\r\n- b\r\n- c\r\n', '*A*\n\n- b\n- c'],
	['a horizontal rule', 'a\n\n***\n\nb', 'a\n\n---\n\nb'],
	['entities', 'Fish &amp; chips &lt;3 &#8364; &copy;', 'Fish & chips <3 € ©'],

	// Lists
	['stars as bullets', '* a\n* b', '- a\n- b'],
	['a list with blank lines', '- a\n\n- b', '- a\n\n- b'],
	['nested lists', '- a\n  - b\n    - c\n- d', '- a\n  - b\n    - c\n- d'],
	['an ordered list that starts at 5', '5. a\n6. b', '5. a\n6. b'],
	['an ordered list of ones', '1. a\n1. b\n1. c', '1. a\n2. b\n3. c'],
	['round brackets', '1) a\n2) b', '1) a\n2) b'],
	[
		'bullets in an ordered list',
		'1. **A**\n   - x\n   - y\n2. **B**',
		'1. *A*\n  - x\n  - y\n2. *B*',
	],
	['two paragraphs in an item', '- a\n\n  b\n- c', '- a\n\n  b\n- c'],
	['tasks', '- [ ] open\n- [x] **done**', '- [ ] open\n- [x] *done*'],
	['an empty item', '- a\n-\n- b', '- a\n\n- b'],
	['code in a list', '1. Run\n   ```\n   a  b\n   ```\n2. Go', '1. Run\n```\na  b\n```\n2. Go'],
	['a list after text', 'Bring:\n- ID\n- Pen', 'Bring:\n- ID\n- Pen'],

	// Quotes
	['a quote', '> one\n> **two**\n\nthree', '> one\n> *two*\n\nthree'],
	['a quote with a list', '> Steps:\n> 1. a\n> 2. b', '> Steps:\n> 1. a\n> 2. b'],
	['two paragraphs in a quote', '> a\n>\n> b', '> a\n\n> b'],
	['nested quotes', '> a\n> > b', '> a\n> b'],
	['a quote in a list', '- a\n  > b', '- a\n> b'],
	['a list item that starts with a quote', '1. > a\n   > b\n2. c', '> 1. a\n> b\n2. c'],
	['a list item that starts with a list with a quote', '- - > a', '> - a'],
	['code in a quote', '> ```\n> x = 1\n> ```', '```\nx = 1\n```'],

	// Code
	['inline code', 'Use `**kwargs` and `a_b_c`', 'Use `**kwargs` and `a_b_c`'],
	['inline code with a backtick', '``a`b``', '```a`b```'],
	[
		'a block with a language',
		'```js\nconst a = `*x*`;\n\n  b();\n```',
		'```\nconst a = `*x*`;\n\n  b();\n```',
	],
	['a block of tildes', '~~~\n*a*\n~~~', '```\n*a*\n```'],
	['a block that contains a fence', '````\n```\na\n```\n````', '```\na\n```'],
	['indented code', 'a\n\n    b * c * d', 'a\n\n```\nb * c * d\n```'],
	['HTML in code', '`<b>` and\n```html\n<p>&amp;</p>\n```', '`<b>` and\n```\n<p>&amp;</p>\n```'],

	// Links and images
	[
		'a link',
		'Read [our **new** terms](https://a.example/t).',
		'Read our *new* terms: https://a.example/t.',
	],
	['a link to its label', '[https://a.example/](https://a.example)', 'https://a.example'],
	[
		'a link to its label without scheme',
		'[www.a.example](https://www.a.example/)',
		'https://www.a.example/',
	],
	['a link without label', '[](https://a.example)', 'https://a.example'],
	[
		'underscores in a URL',
		'https://a.example/_foo_/bar_baz_*x*?a_=1',
		'https://a.example/_foo_/bar_baz_*x*?a_=1',
	],
	['a URL in bold', '**https://a.example**', 'https://a.example'],
	['an autolink', '<https://a.example/a_b>: see', 'https://a.example/a_b: see'],
	[
		'mail and phone links',
		'[a@b.example](mailto:a@b.example), [+49 151](tel:+49151), <a@b.example>',
		'a@b.example, +49 151, a@b.example',
	],
	['text right after a link', '[a](https://a.example)s', 'a: https://a.example s'],
	['a link in brackets', '([a](https://a.example))', '(a: https://a.example)'],
	[
		'a link with title, entity and space',
		'[a](<https://a.example/b c?d=1&amp;e> "t")',
		'a: https://a.example/b%20c?d=1&e',
	],
	['a link inside the page', '[Top](#top)', 'Top'],
	['a relative link', '[Terms](/terms)', 'Terms: /terms'],
	[
		'reference links',
		'See [Docs][1] and [2].\n\n[1]: https://a.example/1\n[2]: https://a.example/2',
		'See Docs: https://a.example/1 and 2: https://a.example/2.',
	],
	['footnotes', 'True[^1].\n\n[^1]: Says the report.', 'True[^1].\n\n[^1]: Says the report.'],
	['an image', '![The **menu**](https://a.example/m.png)', 'The menu: https://a.example/m.png'],
	['an image without text', '![](https://a.example/m.png)', 'https://a.example/m.png'],
	['an image with its data', '![Chart](data:image/png;base64,iVBORw0KGgo=)', 'Chart'],
	[
		'a linked image',
		'[![Build](https://a.example/b.svg)](https://a.example/ci)',
		'Build: https://a.example/ci',
	],
	['a script URL', '[x](javascript:alert(1))', '[x](javascript:alert(1))'],
	[
		'a very long URL',
		`[x](https://a.example/${'a_'.repeat(3000)})`,
		`x: https://a.example/${'a_'.repeat(3000)}`,
	],

	// HTML
	['tags', '<p>Hello <b>Ada</b><br/>Bye<br>now</p>', 'Hello Ada\nBye\nnow'],
	['details', '<details>\n<summary>More</summary>\n\n**Text**\n\n</details>', 'More\n\n*Text*'],
	['comments, scripts and styles', 'a<!-- b --> <script>c()</script><style>d</style>e', 'a e'],
	['nothing but HTML', '<br>', '<br>'],

	// Tables
	[
		'a table with alignment, code and a pipe',
		'| Name | Age | Code |\n|:-----|----:|:---:|\n| **Ada** | 36 | `a\\|b` |\n| Bob | | x |',
		'- Name: *Ada* · Age: 36 · Code: `a|b`\n- Name: Bob · Code: x',
	],
	[
		'a table without a first name',
		'| | Basic | Pro |\n|-|-|-|\n| Price | 5 € | 9 € |',
		'- Price · Basic: 5 € · Pro: 9 €',
	],
	[
		'a table with a link and a break',
		'a | b\n-|-\n[x](https://a.example) | 1<br>2',
		'- a: x: https://a.example · b: 1 2',
	],
	['a table of one row', '| a | **b** |\n|-|-|', '- a · *b*'],
	[
		'a table after text',
		'**Prices**\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\nThanks!',
		'*Prices*\n\n- A: 1 · B: 2\n\nThanks!',
	],

	// Whole messages
	[
		'an order confirmation',
		'# Order *#4711* confirmed 🎉\n\nHi **Ada**,\n\nyour order:\n\n1. **Coffee** – 2 × 5 €\n2. **Tea** – ~~4 €~~ 3 €\n\n> Delivery: *tomorrow*, 9–12\n\n[Track it](https://a.example/t/4711?x_y=1_2) or call **+49 30 1234567**.\n\n---\n_Your shop_',
		'*Order _#4711_ confirmed 🎉*\n\nHi *Ada*,\n\nyour order:\n\n1. *Coffee* – 2 × 5 €\n2. *Tea* – ~4 €~ 3 €\n\n> Delivery: _tomorrow_, 9–12\n\nTrack it: https://a.example/t/4711?x_y=1_2 or call *+49 30 1234567*.\n\n---\n_Your shop_',
	],
	[
		'an answer with steps and code',
		"Sure! Here's how:\n\n### 1. Install\n```bash\nnpm i some_package\n```\n### 2. Use\n- Set `API_KEY`\n    - in **`.env`**\n- Restart\n\n**Note:** it's _free_.",
		"Sure! Here's how:\n\n*1. Install*\n```\nnpm i some_package\n```\n*2. Use*\n- Set `API_KEY`\n  - in `.env`\n- Restart\n\n*Note:* it's _free_.",
	],
];
