import { checkPlaceholders, isBlank } from '../../../nodes/MessagingGateway/fields/missingValues';

const SPACE = [' \n', '\u200b\u2060'];
const NOTHING = [undefined, null, NaN, '', ...SPACE, 'null', 'undefined', 'NaN', '[object Object]'];
const DATES = ['Invalid DateTime', 'Invalid Date', 'Invalid Duration', 'Invalid Interval'];
// As n8n writes a method, a function and a class into a text.
const FUNCTIONS = [
	'function toUpperCase() { [native code] }',
	'toISO({format:e="extended",suppressSeconds:t=!1}={}){if(!this.isValid)return null}',
	'async (text) => { await send(text) }',
	'class DateTime {\n}',
];

test.each([...NOTHING, ...DATES, ...FUNCTIONS, ' undefined ', '{name}', '%s'])(
	'%j is no value',
	(value) => expect(isBlank(value)).toBe(true),
);

test.each([
	...[0, -0, false, Infinity, {}, [], '0', 'false', '-', 'Null', 'none', 'Nan', 'x'],
	...['undefined behaviour', 'Hello {name}', 'function keys', 'class starts (today) at 9', 'f(x)'],
])('%j is a value', (value) => expect(isBlank(value)).toBe(false));

test.each([
	['Hi undefined, see you Invalid DateTime', 'undefined'],
	['See you Invalid DateTime', 'Invalid DateTime'],
	['order-undefined.', 'undefined'],
	['Total:NaN €', 'NaN'],
	['Hello [object Object],[object Map]', '[object Object]'],
	...['Hi {{ $json.name }}', 'Hi {{name', 'Dear{{1}}'].map((text) => [text, '{{']),
	['Hi ${name}', '${'],
	['Hi {name}, your order', '{name}'],
	['({größe_2})', '{größe_2}'],
	['%{customer.first-name}', '{customer.first-name}'],
	['Hello %s,', '%s'],
	['{%s}', '%s'],
	['In JavaScript, a missing field is undefined.', 'undefined'],
])('%j contains %j', (text, found) => {
	const message = `'Text' contains '${found}' in place of a value`;
	expect(() => checkPlaceholders(text, 'Text')).toThrow(message);
});

/** Measured once: none of 5,574 SMS (SMS Spam Collection), and 6 of 100,000 sentences (nlp-corpus 4.4.0), which all lack a value. */
test.each([
	...['Nan, are you home?', 'NAN', 'undefinedly', 'predefined', 'Ich habe null Ahnung', 'Null'],
	...['50%suffer', '100 %', '%S', 'a {b c}', '{1, 2}', '{}', '{"a": 1}', '}} {', '{ }', '$5 {'],
	...['f{x}', '\\frac{a}', 'Der Termin ist ungültig: Invalid', 'an object', '[object]', '[x] {'],
	...['<name>', '[Name]'],
	...['Müller_undefined', 'undefinedü', 'ünaN', 'Price: $', 'C:\\{', ':-}', '{0}', '\u{1f600}{'],
])('%j contains none', (text) => {
	expect(() => checkPlaceholders(text, 'Text')).not.toThrow();
});
