// How many rows have the same result for the same reason. Repeated people count together, whichever row was the first.
const counts = new Map();
for (const { json } of $input.all()) {
	const reason = json.reason.replace(/^same as row \d+$/, 'same person as an earlier row');
	const group = JSON.stringify([json.result, reason]);
	const { count } = counts.get(group) ?? { count: 0 };
	counts.set(group, { count: count + 1, result: json.result, reason });
}
return [...counts.values()].map((json) => ({ json }));
