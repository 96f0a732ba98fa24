// One item per number that sends campaigns. Without names, there is one number, and its name is empty.
return String($('Settings').first().json.numbers)
	.split(',')
	.map((number) => ({ json: { number: number.trim() } }));
