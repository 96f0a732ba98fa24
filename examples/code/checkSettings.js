// Why the campaign cannot be prepared, or could not be sent; empty if it can. n8n 2.20 cuts the text of an error at its colons, so a
// separate node stops the run.
const { problemInSettings } = require('./shared/campaigns.js');
const { MAX_TEXT } = require('./shared/draftTexts.js');
const { campaignList } = require('./shared/list.js');
const { plain } = require('./shared/texts.js');

/** An agent could fill n8n's data tables with drafts that nobody reads. */
const MAX_DRAFTS = 10;
const MAX_NAME = 100;
const EMAIL = /[^\s@]@[^\s@.]+\.[^\s@]/;
/** No phone number has fewer digits. */
const MIN_DIGITS = 6;
const isContact = (text) =>
	EMAIL.test(text) || String(text).replace(/\D/g, '').length >= MIN_DIGITS;

const settings = $('Settings').first().json;
const campaigns = $input.all().map(({ json }) => json);
const isFromAgent = $('Draft requested').isExecuted;
const isUpload = $('Upload').isExecuted;

const drafts = campaigns.filter(({ status }) => status === 'draft');
/** A draft without a valid row, which an agent may correct. */
const isEmpty = ({ status, run }) => status === 'draft' && !run;

/** Two names that look the same would be taken for each other. */
const looks = (name) =>
	plain(
		String(name)
			.normalize('NFKC')
			.replace(/\p{Cf}/gu, ''),
	);

function problemInName(name) {
	const sameName = campaigns.filter((each) => looks(each.name) === looks(name));
	if (isFromAgent && sameName.some((each) => !isEmpty(each))) {
		return `There is already a campaign '${name}'. Choose another name.`;
	}
	if (sameName.some(({ status }) => status !== 'draft')) {
		return `The campaign '${name}' was started before. Choose another name in Settings, and publish this workflow again.`;
	}
	// PostgreSQL stores no U+0000.
	if (name.length > MAX_NAME || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) {
		return `The name must have at most ${MAX_NAME} characters, all in one line.`;
	}
	return '';
}

/** Which of the two an agent left empty. Settings has its own in their place, which nobody asked for. */
function missing() {
	const [asked] = isFromAgent ? $('Draft requested').all() : [];
	return asked && ['name', 'text'].find((key) => plain(asked.json[key] ?? '') === '');
}

function problem() {
	const { name, text, optOutPage, sender, contact } = settings;
	const left = missing();
	if (left) return `The ${left} is empty.`;
	const inName = problemInName(name);
	if (inName) return inName;
	if (isFromAgent && drafts.filter((each) => each.name !== name).length >= MAX_DRAFTS) {
		return `There are already ${MAX_DRAFTS} drafts. A person has to start or stop one first.`;
	}
	if (text.length > MAX_TEXT || text.includes('\u0000')) {
		return `The text must have at most ${MAX_TEXT} characters, and no character U+0000.`;
	}
	if (plain(sender ?? '') === '') {
		return "Enter 'sender' in Settings: who you are. The opt-out page shows it.";
	}
	if (!isContact(contact)) {
		return "Enter 'contact' in Settings: your phone number or email. The opt-out page shows it, because nobody reads replies here.";
	}
	if (!/^https?:\/\/[^/?#]+\/[^?#]*$/.test(optOutPage)) {
		return "The address of this n8n is not known here, so the opt-out links would be dead. In Settings, set 'optOutPage' to the Production URL of Link opened in '13. Campaign: opt-out page'.";
	}
	const inSettings = problemInSettings(settings, 'Settings');
	if (inSettings || !isUpload) return inSettings;
	return campaignList($('Text of the file').first().json.csv).problem;
}

return [{ json: { problem: problem() } }];
