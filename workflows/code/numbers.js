// One item per number that sends campaigns. The last one has no name: it is for messages that were prepared without a number.
const names = String($('Settings').first().json.numbers)
	.split(',')
	.map((number) => number.trim());
return [...new Set([...names, ''])].map((number) => ({ json: { number } }));
