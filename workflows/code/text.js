// Fills in the text for each recipient. {name} stands for the value in the column "name". If one is missing, the text stays empty,
// so that Check rejects the row, and the report has the reason.
const { text } = $('Settings').first().json;
const PLACEHOLDER = /\{([^{}]+)\}/g;

function valueOf(recipient, column) {
	const value = Object.hasOwn(recipient, column) ? recipient[column] : undefined;
	return String(value ?? '').trim();
}

return $input.all().map(({ json }, item) => {
	const columns = [...text.matchAll(PLACEHOLDER)].map(([, column]) => column.trim());
	const missing = columns.find((column) => valueOf(json, column) === '');
	const filled =
		missing === undefined
			? { text: text.replace(PLACEHOLDER, (_, column) => valueOf(json, column.trim())) }
			: { text: '', reason: `There is no value for {${missing}}` };
	return { json: { ...json, ...filled }, pairedItem: { item } };
});
