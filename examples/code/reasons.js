// The reasons in the words of the file. Which item of the run it was says nothing to the reader of the report.
return $input.all().map(({ json }, item) => ({
	json: {
		...json,
		reason: json.reason.replace(/ \[item \d+\]$/, '').replaceAll("'Chat ID'", "'phone'"),
	},
	pairedItem: { item },
}));
