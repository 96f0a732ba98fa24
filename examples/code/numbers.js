// One item per number that sends campaigns, and when Session status asks for it. The last one has no name: it is for messages that
// were prepared without a number.
const names = String($('Settings').first().json.numbers)
	.split(',')
	.map((number) => number.trim());
const askedAt = $now.toUTC().toISO();
return [...new Set([...names, ''])].map((number) => ({ json: { number, askedAt } }));
