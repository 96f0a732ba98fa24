import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const docs = join(__dirname, '../../docs');
const isUpdate = process.env.UPDATE !== undefined;

const MARKED = /^<!-- generated: ([^\n]+) -->\n(.*?)^<!-- end -->$/gms;

/** The parts of docs/ that show what the code does. */
const places = () =>
	readdirSync(docs)
		.filter((file) => file.endsWith('.md'))
		.flatMap((page) => {
			const text = readFileSync(join(docs, page), 'utf8');
			return [...text.matchAll(MARKED)].map(([match, name, content]) => ({
				...{ page, text, match },
				name: name!,
				content: content!.trim(),
			}));
		});

export const generatedNames = () => places().map(({ name }) => name);

/** Compares a part with what the code does now. `UPDATE=1 npx jest test/architecture/generated` writes it. */
export function compare(name: string, current: string) {
	const [place, ...more] = places().filter((found) => found.name === name);
	expect(more).toEqual([]);
	if (!isUpdate) return expect(place?.content).toBe(current);
	const { page, text, match } = place!;
	const updated = `<!-- generated: ${name} -->\n\n${current}\n\n<!-- end -->`;
	writeFileSync(
		join(docs, page),
		text.replace(match, () => updated),
	);
}
