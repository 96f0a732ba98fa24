// What the person who starts the campaign should know. An agent gets it as the result of its tool. It is the second branch after
// Sample recipients, which n8n executes when the first one, with all rows, has ended.
const valid = $('Check').all(0);
const invalid = $('Check').all(1);
// These are not executed if no row is valid.
const people = $('One per person').isExecuted ? $('One per person').all(0) : [];
const messages = $('Message').isExecuted ? $('Message').all() : [];

return [
	{
		json: {
			campaign: $('Settings').first().json.name,
			status: 'draft',
			messages: messages.length,
			listedTwice: valid.length - people.length,
			invalidRows: invalid.map(({ json }) => ({
				number: json.phone,
				reason: json.reason || json.error,
			})),
			firstMessage: messages[0]?.json.text ?? '',
			next: "Nothing is sent. A person starts it with '13. Campaign: manage'.",
		},
	},
];
