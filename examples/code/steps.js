// What each choice changes: the status of the campaign, and the status of its rows. Start sends only the draft that the person has read.
const { SHOWN_TEXTS, textsOf } = require('./shared/draftTexts.js');
const { localLinkIn } = require('./shared/local.js');
const { rowsOf } = require('./shared/tables.js');
const { escape, plain } = require('./shared/texts.js');

const START = [{ campaign: ['draft', 'running'], rows: ['draft', 'pending'] }];

const STEPS = {
	'Show the report': [],
	Start: START,
	'Start, page tested': START,
	Pause: [{ campaign: ['running', 'paused'], rows: ['pending', 'paused'] }],
	Resume: [{ campaign: ['paused', 'running'], rows: ['paused', 'pending'] }],
	Stop: ['draft', 'running', 'paused'].map((status) => ({
		campaign: [status, 'stopped'],
		rows: [status === 'running' ? 'pending' : status, 'stopped'],
	})),
};

const chosen = $('Form').isExecuted ? $('Form').first().json : $('Choice').first().json;
const draft = String(chosen.draft ?? '').trim();
const action = Object.keys(STEPS).find((each) => plain(each) === plain(chosen.action));

const campaigns = rowsOf($('Campaigns').all());

/** The name as it is stored, if the user wrote it in another case or with spaces around it. */
function storedName() {
	const names = [...new Set(campaigns.map(({ name }) => name ?? ''))];
	const similar = names.filter((each) => plain(each) === plain(chosen.name));
	return names.includes(chosen.name) || similar.length !== 1 ? chosen.name : similar[0];
}

const name = storedName();
// Two drafts of one name can be prepared at the same time.
const named = campaigns.filter((each) => each.name === name);
const campaign =
	named.find(({ status }) => status !== 'draft') ??
	named.find(({ run }) => draft !== '' && run === draft) ??
	named.at(-1);
const run = campaign?.run || '-';

/** Why the opt-out page is missing. It names the campaign. */
function problemInPage(text) {
	if (!$('Opt-out page').isExecuted) return '';
	const { statusCode, data } = $('Opt-out page').first().json;
	const isPage = statusCode === 200 && String(data).includes(escape(name));
	if (isPage) return '';
	const [address] = /[^?]*/.exec(/^No more messages: (.*)/m.exec(text)?.[1] ?? '');
	const response = statusCode ? `another page, with the status ${statusCode}` : 'no response';
	return `n8n does not reach the opt-out page (${response}). Publish “13. Campaign: opt-out page” and choose Start again. If your phone opens a page at ${address}, only n8n cannot reach it: choose “Start, page tested”.`;
}

/** Why Start is not possible for a draft, or Stop for a campaign: both are permanent. */
function problem() {
	if (action === undefined)
		return `'action' is '${chosen.action}'. Use one of: ${Object.keys(STEPS).join('; ')}.`;
	if (action === 'Stop' && campaign?.run && campaign.status !== 'stopped' && draft !== run) {
		return `Stop is permanent: what is not sent yet is never sent. To stop, enter ${run} as Draft and choose Stop again.${campaign.status === 'running' ? ' To go on later, choose Pause.' : ''}`;
	}
	if (STEPS[action] !== START || campaign?.status !== 'draft') return '';
	const rows = rowsOf($('Draft rows').all()).filter(
		(row) => row.run === run && row.campaign === name,
	);
	if (!campaign.run) return 'the draft is not complete. Run “13. Campaign: prepare” again.';
	if (draft !== run) {
		const read = draft === '' ? 'read' : 'that is not the number of this draft. Read';
		return `${read} the texts below. To send them, enter ${run} as Draft and choose Start again.`;
	}
	if (rows.length === 0) return 'the draft has no messages. Run “13. Campaign: prepare” again.';
	const { link, isRefused } = localLinkIn(rows);
	if (isRefused) {
		return `the opt-out links start with ${link}, which no phone can open. Set N8N_WEBHOOK_URL of n8n (before n8n 2.35: WEBHOOK_URL), or optOutPage in Settings of “13. Campaign: prepare”, and run that again. Only numbers that are reserved for fiction need no other links.`;
	}
	const texts = textsOf(rows, campaign.text).length;
	if (texts <= SHOWN_TEXTS) return problemInPage(rows[0].text);
	return `the draft has ${texts} different texts, and only ${SHOWN_TEXTS} are shown. Use placeholders such as {name}, or make several campaigns.`;
}

const why = problem();
const steps =
	!why && STEPS[action].length > 0 ? STEPS[action] : [{ campaign: ['-', '-'], rows: ['-', '-'] }];
return steps.map(({ campaign: [campaignFrom, campaignTo], rows: [rowsFrom, rowsTo] }) => ({
	json: {
		...{ name, action, id: campaign?.id ?? 0, run, problem: why },
		// Empty for a draft without a valid row, which can be stopped, too.
		campaignRun: campaign?.run ?? null,
		...{ campaignFrom, campaignTo, rowsFrom, rowsTo },
	},
}));
