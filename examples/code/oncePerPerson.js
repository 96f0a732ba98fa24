// Marks each row whose person is in an earlier row, in whatever spelling. Check says who it is.
const firstRows = new Map();
return $input.all().map(({ json: { input, identity, chatId, text } }, item) => {
	const first = firstRows.get(identity);
	if (first === undefined) firstRows.set(identity, input.row);
	// A column of the file may have this name, too.
	const error = first === undefined ? undefined : `same as row ${first}`;
	return { json: { ...input, chatId, text, isChecked: true, error }, pairedItem: { item } };
});
