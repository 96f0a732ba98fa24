/** Returns a function that keeps its results for the most recently used keys, because all messages of an account have the same ones. */
export function lastUsed<Value>(max: number, create: (key: string) => Value) {
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
