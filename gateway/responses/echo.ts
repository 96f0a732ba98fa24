import { storedObject } from '../json';
import { ABOUT_ITSELF, ANY, find, type NamedValue } from './find';
import { scalarOf } from './values';

const MAX_PLAIN = 200;
/** A larger request is read at once. */
const MAX_SEARCHED = 10_000;

/** Returns the fields of a response that do not repeat the request: the same name and value after parsing. */
export function ownFacts(data: unknown, requestBody?: Buffer): NamedValue[] {
	let sent: Set<string> | undefined;
	const entry = ({ name, value }: NamedValue) => `${name}=${scalarOf(value)}`;
	const isOwn = (fact: NamedValue) => {
		const text = scalarOf(fact.value);
		if (!requestBody || text === '') return true;
		// Most requests need not be parsed for that.
		const isSearched = !sent && text.length < MAX_PLAIN && requestBody.length < MAX_SEARCHED;
		if (isSearched && /^[\w.@-]+$/.test(text) && !requestBody.includes(text)) return true;
		const request = () => storedObject(requestBody.toString());
		sent ??= new Set(find(request(), ANY, { through: () => true, everyEntry: true }).map(entry));
		return !sent.has(entry(fact));
	};
	return find(data, ANY, ABOUT_ITSELF).filter(isOwn);
}
