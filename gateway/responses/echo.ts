import { storedObject } from '../json';
import { ANY, find, type NamedValue, scalarOf, type Scope } from './dialect';

const MAX_PLAIN = 200;
/** A larger request is read at once. */
const MAX_SEARCHED = 10_000;

/** Returns whether a field repeats the request: the same name and value after parsing. Most requests need not be parsed for that. */
export function echoOf(requestBody?: Buffer): (fact: NamedValue) => boolean {
	let sent: Set<string> | undefined;
	const entry = ({ name, value }: NamedValue) => `${name}=${scalarOf(value)}`;
	return (fact) => {
		const text = scalarOf(fact.value);
		if (!requestBody || text === '') return false;
		const isPlain = text.length < MAX_PLAIN && /^[\w.@-]+$/.test(text);
		const isSearched = !sent && isPlain && requestBody.length < MAX_SEARCHED;
		if (isSearched && !requestBody.includes(text)) return false;
		const everything: Scope = { through: () => true, everyEntry: true };
		sent ??= new Set(find(storedObject(requestBody.toString()), ANY, everything).map(entry));
		return sent.has(entry(fact));
	};
}
