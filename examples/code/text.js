// Fills in the text for each recipient. {name} stands for the value in the column "name". If one is missing, or the message would be
// too long, or the time zone is none, the text stays empty, so that Check rejects the row, and the report has the reason.
const { isTimezone } = require('./shared/campaigns.js');
const { MAX_TEXT } = require('./shared/draftTexts.js');
const { NO_VALUE } = require('./shared/missing.js');

const { text, optOutPage } = $('Settings').first().json;
const VALUES = /\{([^{}]+)\}/g;
const MAX_RECIPIENTS = 50_000;
/** n8n's data tables hold 200 MB by default, and an agent can prepare ten drafts. A character has up to three bytes. */
const MAX_CHARACTERS_OF_AGENT = 1_000_000;
/** The words before the opt-out link, and what it adds to the address of the page. */
const LINK = 103;
const isUpload = $('Uploaded rows').isExecuted;
const longest = MAX_TEXT - LINK - String(optOutPage).length;

function valueOf(recipient, column) {
	const value = Object.hasOwn(recipient, column) ? recipient[column] : undefined;
	return String(value ?? '').trim();
}

function filledIn(recipient) {
	if (isUpload && recipient.problem) return { text: '', reason: recipient.problem };
	const timezone = recipient.timezone ?? '';
	if (timezone !== '' && !isTimezone(timezone)) {
		return { text: '', reason: "'timezone' must be a name such as Europe/London" };
	}
	const columns = [...text.matchAll(VALUES)].map(([, column]) => column.trim());
	const missing = columns.find((column) => valueOf(recipient, column) === '');
	if (missing !== undefined) return { text: '', reason: `There is no value for {${missing}}` };
	const filled = text.replace(VALUES, (_, column) => valueOf(recipient, column.trim()));
	if (filled.trim() === '') return { text: '', reason: 'The text is empty' };
	if (filled.length > longest) {
		return { text: '', reason: `The text has more than ${longest} characters` };
	}
	if (NO_VALUE.test(filled)) {
		return {
			text: '',
			reason: 'The text has a placeholder, such as undefined, in place of a value',
		};
	}
	if (filled.includes('\u0000')) return { text: '', reason: 'The text has a character U+0000' };
	return { text: filled, reason: '' };
}

const recipients = $input.all();
if (recipients.length > MAX_RECIPIENTS) {
	throw new Error(
		`The list has ${recipients.length} recipients, and a campaign at most ${MAX_RECIPIENTS}. Make several campaigns`,
	);
}
const filled = recipients.map(({ json }) => ({ ...json, ...filledIn(json) }));
const characters = filled.reduce((sum, row) => sum + row.text.length, 0);
if ($('Draft requested').isExecuted && characters > MAX_CHARACTERS_OF_AGENT) {
	throw new Error(
		`The texts of a draft of an agent have at most ${MAX_CHARACTERS_OF_AGENT} characters, and these ${characters}. Use fewer recipients, or a shorter text`,
	);
}
return filled.map((json, item) => ({ json, pairedItem: { item } }));
