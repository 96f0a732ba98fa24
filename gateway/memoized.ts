/** Returns a function that keeps its results for the most recently used keys: for accounts, recipients or lists, which recur in most messages. */
export function memoized<Value>(create: (key: string) => Value, max = 1_000) {
	const values = new Map<string, Value>();
	return (key: string): Value => {
		const value = values.get(key) ?? create(key);
		// Moves the key to the end of the Map, which keeps the order of insertion, so the first one is the least recently used.
		values.delete(key);
		values.set(key, value);
		const [oldest] = values.keys();
		if (values.size > max && oldest !== undefined) values.delete(oldest);
		return value;
	};
}
