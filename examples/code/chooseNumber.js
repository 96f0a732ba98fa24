// The same person always gets messages from the same number: the one with the highest hash of number and person. If a number
// is added, only the people move for whom it has the highest hash. The order of the other numbers, which may take over if it is
// offline, comes from the same hash, so that its people are shared among them.

/** FNV-1a, mixed as at the end of MurmurHash3, so that similar texts get very different hashes. */
function hash(text) {
	let value = 0x811c9dc5;
	for (const character of text) value = Math.imul(value ^ character.codePointAt(0), 0x01000193);
	value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
	value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
	return (value ^ (value >>> 16)) >>> 0;
}

const numbers = String($('Settings').first().json.numbers)
	.split(',')
	.map((number) => number.trim());

function inOrderFor(person) {
	const hashes = new Map(numbers.map((number) => [number, hash(`${number} ${person}`)]));
	return [...numbers].sort((a, b) => hashes.get(b) - hashes.get(a));
}

return $input.all().map(({ json }, index) => {
	const [number, ...others] = inOrderFor(json.identity);
	return { json: { ...json, number, otherNumbers: others.join(',') }, pairedItem: { item: index } };
});
