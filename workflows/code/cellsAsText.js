// Office programs calculate cells that start with one of these characters. With an apostrophe before it, the cell is a text.
const FORMULA = /^[=+\-@\t\r]/;

const asText = (value) => (typeof value === 'string' && FORMULA.test(value) ? `'${value}` : value);

return $input.all().map(({ json }, item) => ({
	json: Object.fromEntries(
		Object.entries(json).map(([name, value]) => [asText(name), asText(value)]),
	),
	pairedItem: { item },
}));
