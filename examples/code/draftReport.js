// What the person who starts the campaign should know. An agent gets it as the result of its tool, so it has nothing of the list but
// counts and row numbers. It is the second branch after the list, which n8n executes when the first one, with all rows, has ended.
const { name, text } = $('Settings').first().json;
const valid = $('Check').all(0);
// These are not executed if no row is valid.
const people = $('One per person').isExecuted ? $('One per person').all(0) : [];
const invalid = $('Invalid rows').isExecuted ? $('Invalid rows').all() : [];
const messages = $('Message').isExecuted ? $('Message').all() : [];
const [stored] = $('Set run').isExecuted ? $('Set run').all() : [];
const isStored = Number.isInteger(stored?.json.id);

/** How many invalid rows are listed: a model reads all of them. */
const LISTED = 20;

return [
	{
		json: {
			campaign: name,
			status: isStored ? 'draft' : 'not stored',
			...(isStored && { draft: stored.json.run }),
			messages: isStored ? messages.length : 0,
			listedTwice: valid.length - people.length,
			invalid: invalid.length,
			invalidRows: invalid.slice(0, LISTED).map(({ json: { row, reason } }) => ({ row, reason })),
			text: `${text}\n\nNo more messages: (opt-out link)`,
			next: isStored
				? "Nothing is sent. A person reads the texts and starts it with '13. Campaign: manage'."
				: 'There is no draft to start. Correct the rows or the text, and prepare it again.',
		},
	},
];
