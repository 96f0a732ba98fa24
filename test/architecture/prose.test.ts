import { files as allFiles, read } from './repository';

/** Words that are wrong in every context, with what to write instead. */
const WORDS: Array<[RegExp, string]> = [
	[/\banew\b/i, 'again'],
	[/\bonce more\b/i, 'again'],
	[/\bsomebody\b/i, 'you, or the user'],
	[/\bnobody is to\b/i, 'must not'],
	[/\bputs? out\b/i, 'output'],
	[/\bcome back with\b/i, 'return'],
	[/\b(is|are|be) told\b/i, 'is reported'],
	[/\btold of\b/i, 'reported'],
	[/\bat the most\b/i, 'at most'],
	[/\bat the least\b/i, 'at least'],
	[/\bfor good\b/i, 'permanently'],
	[/\bof its own accord\b/i, 'by itself'],
	[/\bin words\b/i, 'with a clear message'],
	[/\bwhat (came|became) of\b/i, 'the result'],
	[/\bwould else\b/i, 'otherwise'],
	[/\b(is|are) to be\b/i, 'must be, or is'],
	[/\brun out\b/i, 'expired'],
	[/\bsays? no\b/i, 'rejects'],
	[/\bsaid no\b/i, 'rejected'],
	[/\bblanks?( around|s inside)\b/i, 'spaces'],
	[/\bnoughts?\b/i, 'zero'],
	[/\bmend(s|ed|ing)?\b/i, 'fix'],
	[/\btyping slip\b/i, 'typo'],
	[/\bthe one that\b/i, 'rephrase'],
];

const files = allFiles.filter(
	(path) =>
		/\.(ts|mjs|cjs|js|md|json|html|css|yml)$/.test(path) &&
		!/package-lock\.json$|^test\/architecture\/prose/.test(path),
);

const lines = files.flatMap((path) =>
	read(path)
		.split('\n')
		.map((text, index) => ({ place: `${path}:${index + 1}`, text })),
);

test.each(WORDS)('no file contains %s, but: %s', (word, better) => {
	const found = lines
		.filter(({ text }) => word.test(text))
		.map(({ place, text }) => `${place}: ${word.exec(text)![0]} → ${better}`);
	expect(found).toEqual([]);
});
