/** What agents write, and what the chat must get. Written by hand: [title, Markdown, chat text]. */
export const CORPUS: Array<[title: string, markdown: string, chat: string]> = [
	// Emphasis
	['italic', 'an *early* and a _late_ train', 'an _early_ and a _late_ train'],
	['bold in Chinese, which has no spaces', '这是**重点**内容', '这是重点内容'],
	['bold over two lines', '**one\ntwo**', '*one*\n*two*'],
	['bold text that contains the mark of bold text', '**C\\* algorithm**', 'C* algorithm'],
	[
		'bold around text and a link',
		'**See [Docs](https://a.example/x) now**',
		'*See Docs*: https://a.example/x *now*',
	],

	// Text that looks like Markdown or like the marks of chats
	['a multiplication without spaces', '120*60*75 and a*b*c', '120*60*75 and a*b*c'],
	['powers', 'x**2 + y**2 = 2**n + 3**m', 'x**2 + y**2 = 2**n + 3**m'],
	[
		'stars of SQL and of file names',
		'SELECT COUNT(*), x,*,y FROM (*); src/**/*.ts or test/**/*.ts',
		'SELECT COUNT(*), x,*,y FROM (*); src/**/*.ts or test/**/*.ts',
	],
	['bold numbers', '**3** of **24** h, 共**3**个', '*3* of *24* h, 共3个'],
	[
		'names that begin and end with underscores',
		'__init__.py, src/__main__.py, __init__(), self.__dict__ and __bold__. (__Bold__)',
		'__init__.py, src/__main__.py, __init__(), self.__dict__ and *bold*. (*Bold*)',
	],
	['escaped marks', '\\*not italic\\* and 3 \\> 2 \\# 1', '*not italic* and 3 > 2 # 1'],
	['a placeholder in angle brackets', 'git clone <your-repo>', 'git clone <your-repo>'],

	// Half-finished Markdown
	['unclosed bold', 'This is **important', 'This is **important'],
	['an unclosed fence', 'Run:\n```bash\nnpm start', 'Run:\n```\nnpm start\n```'],
	['a lone fence', 'Done\n\n```', 'Done'],

	// Languages and emoji

	// Headings and paragraphs
	['a heading with bold and italic', '## The **big** *day*', '*The big _day_*'],
	['a heading with code', '### Set `maxTries`', '*Set* `maxTries`'],
	['line breaks', 'one\ntwo  \nthree\\\nfour', 'one\ntwo\nthree\nfour'],
	['Windows line ends', '# A\r\n\r\n- b\r\n- c\r\n', '*A*\n\n- b\n- c'],
	['entities', 'Fish &amp; chips &lt;3 &#8364; &copy;', 'Fish & chips <3 € ©'],

	// Lists
	['plus signs as bullets', '+ 5 €\n+ 7 €', '+ 5 €\n+ 7 €'],
	['a number with a full stop', 'Your PIN is\n\n4711.\n\nBye', 'Your PIN is\n\n4711.\n\nBye'],
	['code in a list', '1. Run\n   ```\n   a  b\n   ```\n2. Go', '1. Run\n```\na  b\n```\n2. Go'],

	// Quotes
	['a list item that starts with a list with a quote', '- - > a', '> - - a'],

	// Code
	['inline code with a backtick', '``a`b``', '```a`b```'],
	[
		'a block that starts next to its fence',
		'```Your PIN\n4711\n```\n~~~ 4711\na\n~~~',
		'```\nYour PIN\n4711\n```\n```\n4711\na\n```',
	],
	['a block that contains a fence', '````\n```\na\n```\n````', '```\na\n```'],
	['indented code', 'a\n\n    b * c * d', 'a\n\n```\nb * c * d\n```'],
	['HTML in code', '`<b>` and\n```html\n<p>&amp;</p>\n```', '`<b>` and\n```\n<p>&amp;</p>\n```'],

	// Links and images
	[
		'a link to its label without scheme',
		'[www.a.example](https://www.a.example/)',
		'https://www.a.example/',
	],
	[
		'underscores in a URL',
		'https://a.example/_foo_/bar_baz_*x*?a_=1',
		'https://a.example/_foo_/bar_baz_*x*?a_=1',
	],
	[
		'mail and phone links',
		'[a@b.example](mailto:a@b.example), [+49 151](tel:+49151), <a@b.example>',
		'a@b.example, +49 151, a@b.example',
	],
	[
		'an ampersand that is written as an entity in a URL',
		'https://a.example/?a=1&amp;b=2 [Pay](https://a.example/?a=1&amp;b=2)',
		'https://a.example/?a=1&b=2 Pay: https://a.example/?a=1&b=2',
	],
	[
		'a link without a scheme',
		'[Pay](www.a.example/pay), f[i](x)',
		'Pay: www.a.example/pay, f[i](x)',
	],
	[
		'a link whose label is another URL',
		'[<https://b.example>](https://a.example)',
		'https://b.example: https://a.example',
	],
	[
		'a link with a line break in its label',
		'[Pay<br>](https://a.example)',
		'Pay: https://a.example',
	],
	['text right after a link', '[a](https://a.example)s', 'a: https://a.example s'],
	[
		'a link with title, entity and space',
		'[a](<https://a.example/b c?d=1&amp;e> "t")',
		'a: https://a.example/b%20c?d=1&e (t)',
	],
	['links inside the page', '[Top!](#top), [Ticket](#4711)', 'Top!, Ticket: #4711'],
	['a link to nothing', 'call handlers[name]() or ![x]()', 'call handlers[name]() or ![x]()'],
	[
		'definitions, which look like other lines',
		'Hi\n\n[Invoice]: https://x.example/i.pdf\n\n- [Preis]: 19.99 "netto"\n\nBye',
		'Hi\n\n[Invoice]: https://x.example/i.pdf\n\n- [Preis]: 19.99 "netto"\n\nBye',
	],
	['an image', '![The **menu**](https://a.example/m.png)', 'The menu: https://a.example/m.png'],
	['an image without text', '![](https://a.example/m.png)', 'https://a.example/m.png'],
	['an image with its data', '![Chart](data:image/png;base64,iVBORw0KGgo=)', 'Chart'],
	['a script URL', '[x](javascript:alert(1))', '[x](javascript:alert(1))'],

	// HTML
	['line breaks of HTML', 'Ada<br>Bob<br/>Eve<BR />', 'Ada\nBob\nEve'],
	[
		'no other HTML',
		'<p class="x">Use <b>**bold**</b> <a href="/d">e</a> <!-- c --> <script>a()</script></p>\n\n<div>\n\n- b',
		'<p class="x">Use <b>*bold*</b> <a href="/d">e</a> <!-- c --> <script>a()</script></p>\n\n<div>\n\n- b',
	],

	// Tables
	[
		'a table with alignment, code and a pipe',
		'| Name | Age | Code |\n|:-----|----:|:---:|\n| **Ada** | 36 | `a\\|b` |\n| Bob | | x |',
		'- Name: *Ada* · Age: 36 · Code: `a|b`\n- Name: Bob · Code: x',
	],
	[
		'a table with a link and a break',
		'a | b\n-|-\n[x](https://a.example) | 1<br>2',
		'- a: x: https://a.example · b: 1 2',
	],
	['a table of one row', '| a | **b** |\n|-|-|', '- a · *b*'],
	[
		'a table with more cells than columns',
		'| A | B |\n|-|-|\n| 1 | 2 | **3** | 4\\|5 |',
		'- A: 1 · B: 2 · **3** · 4|5',
	],
	[
		'a table with the name of an empty column',
		'| A | Notes |\n|-|-|\n| 1 | |\n| 2 | |',
		'- A · Notes\n- A: 1\n- A: 2',
	],

	// Whole messages
	[
		'an order confirmation',
		'# Order *#4711* confirmed 🎉\n\nHi **Ada**,\n\nyour order:\n\n1. **Coffee** – 2 × 5 €\n2. **Tea** – ~~4 €~~ 3 €\n\n> Delivery: *tomorrow*, 9–12\n\n[Track it](https://a.example/t/4711?x_y=1_2) or call **+49 30 1234567**.\n\n---\n_Your shop_',
		'*Order _#4711_ confirmed 🎉*\n\nHi *Ada*,\n\nyour order:\n\n1. *Coffee* – 2 × 5 €\n2. *Tea* – ~4 €~ 3 €\n\n> Delivery: _tomorrow_, 9–12\n\nTrack it: https://a.example/t/4711?x_y=1_2 or call *+49 30 1234567*.\n\n---\n_Your shop_',
	],
];
