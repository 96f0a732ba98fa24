// The report of a campaign as a page: what needs a person first.
const { backLine } = require('./shared/forms.js');
const { isTimezone, problemInCampaign } = require('./shared/campaigns.js');
const { localLinkIn } = require('./shared/local.js');
const { isStuck, isUncertain, releasesOf } = require('./shared/rows.js');
const { SHOWN_TEXTS, textsOf, withoutLink } = require('./shared/draftTexts.js');
const { rowsOf } = require('./shared/tables.js');
const { escape } = require('./shared/texts.js');
const { timeOf } = require('./shared/times.js');

const STATES = [
	{
		name: 'Uncertain',
		color: '#c2410c',
		statuses: ['unknown'],
		hint: 'Possibly sent: check the chat before you send again',
	},
	{ name: 'Failed', color: '#b91c1c', statuses: ['failed'], hint: 'Not sent' },
	{
		name: 'Edited',
		color: '#b91c1c',
		statuses: [],
		hint: 'To send it, set its status to pending in the data table Messaging outbox',
	},
	{
		name: 'Invalid',
		color: '#b91c1c',
		statuses: ['invalid'],
		hint: 'Left out. Correct the list or the text, and run “13. Campaign: prepare” again: before Start, or with another name',
	},
	{
		name: 'Draft',
		color: '#64748b',
		statuses: ['draft'],
		hint: 'The campaign has not been started',
	},
	{ name: 'Paused', color: '#a16207', statuses: ['paused'], hint: '' },
	{
		name: 'Being sent',
		color: '#0e7490',
		statuses: ['sending'],
		hint: 'After a restart of n8n, it takes up to five minutes until more is known',
		halted: 'Within minutes, they are sent or held back',
	},
	{ name: 'Waiting', color: '#1d4ed8', statuses: ['pending'], hint: '' },
	{
		name: 'Deferred',
		color: '#6d28d9',
		statuses: ['deferred'],
		hint: 'The gateway keeps it until the phone is online',
	},
	{
		name: 'Sent',
		color: '#15803d',
		statuses: ['sent'],
		hint: 'Who opted out afterwards is in the data table Messaging opt-outs',
	},
	{
		name: 'Opted out',
		color: '#64748b',
		statuses: ['opted out'],
		hint: 'Before the message was sent',
	},
	{ name: 'Stopped', color: '#64748b', statuses: ['stopped'], hint: '' },
];
const LISTED = 50;
/** Of the invalid rows with the same reason. */
const LISTED_ROWS = 5;

/** A row that was stopped or opted out after an attempt without a response is uncertain, too. */
function stateOf(row) {
	if (['stopped', 'opted out'].includes(row.status) && isUncertain(row)) return 'Uncertain';
	return STATES.find(({ statuses }) => statuses.includes(row.status))?.name ?? 'Edited';
}

const MINUTE_MS = 60_000;

/** The reason of rows that are due: the outbox has yet to decide about them. */
const IN_TURN = 'In turn';

/** How many rows wait until when, soonest first. */
function waiting(rows, timezone) {
	const counts = new Map();
	const now = $now.toMillis();
	for (const row of rows) {
		if (row.status !== 'pending') continue;
		const next = new Date(row.nextAttemptAt).getTime();
		const minute = Math.floor(Math.max(next, now) / MINUTE_MS);
		// If it is due, an earlier decision no longer holds.
		const isTold = next > now || isUncertain(row) || releasesOf(row) > 0;
		const reason = isTold ? row.reason : '';
		const key = `${minute}|${reason || IN_TURN}`;
		counts.set(key, (counts.get(key) ?? 0) + 1);
	}
	const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, LISTED);
	// Formatting a time takes long, and there may be 200,000 rows.
	return sorted.map(([key, count]) => {
		const [minute, reason] = key.split('|');
		return { count, at: timeOf(minute * MINUTE_MS, timezone), reason };
	});
}

/** After a run of the outbox at least, which starts each minute. */
const IDLE_MS = 3 * MINUTE_MS;

/** What to check if messages are due, but none of the campaign has changed for some minutes. */
function idleHint(rows) {
	const now = $now.toMillis();
	const age = (date) => now - new Date(date).getTime();
	const isDue = ({ status, nextAttemptAt }) => status === 'pending' && age(nextAttemptAt) > IDLE_MS;
	const idleMs = rows.reduce((least, { updatedAt }) => Math.min(least, age(updatedAt)), Infinity);
	if (!rows.some(isDue) || !(idleMs > IDLE_MS)) return '';
	return `<p><strong>Messages are due, but nothing has changed for ${Math.floor(idleMs / MINUTE_MS)} minutes.</strong> Check whether the phone is online, whether “11. Outbox: send stored requests” is published, and whether it sends other messages first.</p>`;
}

/** What to check if runs of the outbox release messages again and again. */
function stuckHint(rows) {
	const count = rows.filter(isStuck).length;
	if (count === 0) return '';
	return `<p><strong>${count} ${count === 1 ? 'message makes' : 'messages make'} no progress.</strong> Check the executions of “11. Outbox: send stored requests”.</p>`;
}

/** After Start, all messages are due, until the outbox has applied the rules to each. */
function inTurnHint(waits) {
	if (!waits.some(({ reason }) => reason === IN_TURN)) return '';
	return `<p>The outbox looks at messages “${IN_TURN}” within minutes, and then decides when they are due.</p>`;
}

/** What to say if the action changed nothing, by the status of the campaign. */
const UNCHANGED = {
	draft: 'it is a draft. To send it, choose Start.',
	running: 'it is running.',
	paused: 'it is paused. To go on, choose Resume.',
	stopped: 'a stopped campaign cannot be started again.',
};

/** What to correct: in the campaign as it is now, and what the outbox has found in the last minutes in its settings and in rows. */
function corrections(campaign, rows) {
	const now = $now.toMillis();
	const found = rows
		.filter(({ status, nextAttemptAt }) => status === 'pending' && Date.parse(nextAttemptAt) > now)
		.map(({ reason }) => /^Correct '.*?(?=; an earlier attempt is|$)/.exec(reason)?.[0])
		.filter((reason) => reason && !reason.includes("'Messaging campaigns'"));
	const ofCampaign = campaign.status === 'stopped' ? '' : problemInCampaign(campaign);
	return [...new Set([ofCampaign, ...found])].filter(Boolean);
}

/** Invalid rows of the list: those with the same reason once. */
function invalidRows(rows) {
	const groups = new Map();
	for (const { recipient, reason } of rows) {
		if (!groups.has(reason)) groups.set(reason, []);
		groups.get(reason).push(recipient);
	}
	return [...groups].map(([reason, all]) => {
		const more = all.length > LISTED_ROWS ? `, and ${all.length - LISTED_ROWS} more` : '';
		return ['Invalid', `${all.length} × ${all.slice(0, LISTED_ROWS).join(', ')}${more}`, reason];
	});
}

/** State, recipient and reason of what needs a person. */
function entriesToCheck(rows) {
	const inState = (name) => rows.filter((row) => stateOf(row) === name);
	const entriesOf = (name, reasonOf) =>
		inState(name).map((row) => [name, row.recipient, reasonOf(row)]);
	return [
		...entriesOf('Uncertain', ({ reason }) => reason),
		...entriesOf('Failed', ({ reason }) => reason),
		...entriesOf('Edited', ({ status }) => `Its status is '${status}'`),
		...invalidRows(inState('Invalid')),
	];
}

/** Every text of a draft. */
function draftTexts(campaign, rows) {
	const texts = textsOf(rows, campaign.text);
	const list = texts
		.slice(0, SHOWN_TEXTS)
		.map(({ text, count }) => `<p>${count} ×</p><p class="message">${escape(text)}</p>`);
	const more =
		texts.length > SHOWN_TEXTS
			? `<p><strong>And ${texts.length - SHOWN_TEXTS} more texts.</strong> A draft with more than ${SHOWN_TEXTS} texts cannot be started.</p>`
			: '';
	const [first] = rows;
	const to = /^\d+$/.test(first.recipient) ? `+${first.recipient}` : first.recipient;
	const example = `<p>For example, ${escape(to)} gets:</p><p class="message">${escape(withoutLink(first))}</p>`;
	const { link, isRefused } = localLinkIn(rows);
	const start = isRefused
		? 'so it cannot be started'
		: 'and it can be started only because its numbers are reserved for fiction';
	const warning = link
		? `<p class="warning">The opt-out links start with ${escape(link)}, which no phone can open, ${start}.</p>`
		: '';
	return `<h2>Texts of draft ${escape(campaign.run)}</h2>${warning}<p>“13. Campaign: opt-out page” has to be published: without it, Start sends nothing.</p><p>To send these messages, choose Start and enter <strong>${escape(campaign.run)}</strong> as Draft.</p>${list.join('')}${more}${example}`;
}

/** For a name that is not in the list. */
function unknownPage(name, names) {
	const list = names.map((each) => `<li>${escape(each)}</li>`);
	return [
		`<h1>There is no campaign “${escape(name)}”</h1>`,
		list.length > 0
			? `<p>Choose one of these names:</p><ul>${list.join('')}</ul>`
			: '<p>There is none yet: run “13. Campaign: prepare” first.</p>',
	].join('\n');
}

function page({ name, problem }, campaign, rows, isUnchanged) {
	const counts = new Map(STATES.map((state) => [state.name, 0]));
	for (const row of rows) counts.set(stateOf(row), counts.get(stateOf(row)) + 1);
	const bars = STATES.filter((state) => counts.get(state.name) > 0).map((state) => {
		const count = counts.get(state.name);
		const width = Math.max(1, Math.round((count / rows.length) * 100));
		const hint = (campaign.status !== 'running' && state.halted) || state.hint;
		return `<tr><th>${state.name}</th><td class="count">${count}</td><td class="bar"><div style="width:${width}%;background:${state.color}"></div></td><td>${hint}</td></tr>`;
	});
	const messages = rows.filter((row) => stateOf(row) !== 'Invalid');
	const timezone = isTimezone(campaign.timezone) ? campaign.timezone : $now.zoneName;
	const toCheck = entriesToCheck(rows);
	const list = toCheck
		.slice(0, LISTED)
		.map((cells) => `<tr>${cells.map((cell) => `<td>${escape(cell)}</td>`).join('')}</tr>`);
	const waits = waiting(rows, timezone);
	const times = waits.map(
		({ count, at, reason }) =>
			`<tr><td class="count">${count}</td><td>${at}</td><td>${escape(reason)}</td></tr>`,
	);
	const open = ['Being sent', 'Waiting', 'Deferred', 'Draft', 'Paused', 'Edited'];
	const isDone = rows.length > 0 && open.every((state) => counts.get(state) === 0);
	const toCorrect = corrections(campaign, rows).map((each) => `<li>${escape(each)}.</li>`);
	const unchanged =
		escape(problem) || UNCHANGED[campaign.status] || 'its status is invalid. Correct it first.';
	return [
		`<h1>${escape(name)}: ${escape(campaign.status)}</h1>`,
		campaign.status === 'paused' && campaign.reason
			? `<p><strong>It has paused itself. ${escape(campaign.reason)}.</strong></p>`
			: '',
		toCorrect.length > 0
			? `<h2>To correct</h2><ul>${toCorrect.join('')}</ul><p>The messages wait. A correction takes effect within ten minutes, or at once after Pause and Resume.</p>`
			: '',
		isDone && campaign.status === 'running' ? '<p>Nothing is left to send.</p>' : '',
		isUnchanged ? `<p><strong>Nothing was changed: ${unchanged}</strong></p>` : '',
		`<p>${messages.length} messages. Times are in the time zone ${escape(timezone)}.</p>`,
		`<table class="chart">${bars.join('')}</table>`,
		campaign.status === 'draft' && !campaign.run
			? `<p>${rows.length > 0 ? 'No row of the list is valid' : 'Nothing of this draft is stored'}. Run “13. Campaign: prepare” again, or choose Stop.</p>`
			: '',
		campaign.status === 'draft' && messages.length > 0 ? draftTexts(campaign, messages) : '',
		list.length > 0 ? `<h2>To check</h2><table>${list.join('')}</table>` : '',
		toCheck.length > list.length ? `<p>And ${toCheck.length - list.length} more.</p>` : '',
		times.length > 0
			? `<h2>Waiting</h2>${campaign.status === 'running' ? idleHint(rows) + stuckHint(rows) + inTurnHint(waits) : ''}<table>${times.join('')}</table>`
			: '',
	].join('\n');
}

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1f2937;background:#fff}
h1{overflow-wrap:anywhere}table{border-collapse:collapse}th,td{text-align:left;padding:.25rem .75rem .25rem 0;vertical-align:top}.chart{width:100%}
.count{text-align:right;width:4rem}.chart th{width:7rem}.bar{width:50%}.warning{color:#b91c1c;font-weight:600}h2{margin:2rem 0 .5rem}p{margin:.5rem 0 1rem}ul{padding-left:1.5rem}.message{white-space:pre-wrap;overflow-wrap:anywhere}.bar div{height:1.2rem;border-radius:3px}
@media(max-width:40rem){.chart tr{display:grid;grid-template-columns:7rem 4rem 1fr}.chart .bar,.chart .count{width:auto}.chart td:last-child{grid-column:1/-1}.chart td:empty{display:none}}`;
const step = $('Steps').first().json;
const { id, name, action } = step;
const campaigns = rowsOf($('Campaigns').all());
const changed = rowsOf($('Set campaign').all());
const campaign = changed[0] ?? campaigns.find((each) => each.id === id);
const rows = rowsOf($('Rows').all());
const isUnchanged =
	action !== 'Show the report' && [...changed, ...rowsOf($('Set rows').all())].length === 0;
const content = campaign
	? page(step, campaign, rows, isUnchanged)
	: unknownPage(
			name,
			campaigns.map((each) => each.name),
		);
const html = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${escape(name)}</title><style>${STYLE}</style></head><body><main>${content}${backLine()}</main></body></html>`;
return [{ json: { html } }];
