// What was found and changed, as a page. The rows are read again after each change: what is no longer among them is done.
const { backLine } = require('./shared/forms.js');
const { rowsOf } = require('./shared/tables.js');
const { plain, escape } = require('./shared/texts.js');
const { timeOf } = require('./shared/times.js');

const LISTED = 50;
/** A status that says little to who asks for this page. */
const STATUS = { counted: 'counted: sent by another workflow, for the limit per person' };

function tableOf(names, rows) {
	if (rows.length === 0) return '';
	const headings = names.map((name) => `<th scope="col">${name}</th>`);
	// On a narrow page, the name is in front of each cell: as an element, because n8n's HTML view drops other attributes.
	const cellsOf = (row) =>
		row.map((cell, index) => `<td><b>${names[index]}: </b>${escape(cell)}</td>`);
	const lines = [headings, ...rows.map(cellsOf)].map((cells) => `<tr>${cells.join('')}</tr>`);
	return `<table>${lines.join('')}</table>`;
}
const messages = (count) => `${count} ${count === 1 ? 'message' : 'messages'}`;

/** Each row of the person as it was seen last, and whether it is still there. */
function seenRows() {
	const lastRun = $input.first().json.run;
	const seen = new Map();
	for (let run = 0; run <= lastRun; run++) {
		for (const { json } of $('Rows to change').all(0, run)) {
			if (json.id !== undefined) seen.set(json.id, { ...json, isLeft: run === lastRun });
		}
	}
	return [...seen.values()];
}

const appointments = () =>
	$('Appointments found')
		.all()
		.filter(({ json }) => json.input !== undefined).length;

function forgotten(rows, optedOut) {
	const done = rows.filter(({ isLeft }) => !isLeft);
	const stopped = done.filter(({ statusAfter }) => statusAfter === 'stopped').length;
	const deferred = done.filter(({ status }) => status === 'deferred').length;
	const left = rows.length - done.length;
	const page = [
		tableOf(
			['Data table', 'Rows', 'What happened'],
			[
				['Messaging outbox', done.length, 'made anonymous: number, text and reason are gone'],
				['Messaging outbox', stopped, 'of them were not sent yet, and are not sent any more'],
				['Messaging appointments', appointments(), 'deleted'],
				['Messaging known people', rowsOf($('Delete known').all()).length, 'deleted'],
				[
					'Messaging opt-outs',
					optedOut ? 1 : 0,
					'kept: a keyed hash, so that no list writes to this person again',
				],
			],
		),
		left > 0
			? `<p><strong>${messages(left)} could not be changed, because the outbox is still sending.</strong> Run this again in some minutes.</p>`
			: '',
		deferred > 0
			? `<p><strong>${messages(deferred)} may still wait at the gateway.</strong> Delete what waits with Deferred Delivery > Delete.</p>`
			: '',
		'<p>Not in these tables: your own lists, the executions of n8n, the gateway and the phones. See docs/platform.md, What is kept where.</p>',
	];
	return { page, anonymous: done.length, stopped, deferred, left };
}

function stored(rows) {
	const list = rows
		.slice(0, LISTED)
		.map(({ createdAt, status, campaign, text }) => [
			...[timeOf(createdAt), STATUS[status] ?? status, campaign, text],
		]);
	return [
		`<p>${messages(rows.length)} in the outbox. Times are in the time zone ${escape($now.zoneName)}.</p>`,
		tableOf(['Stored at', 'Status', 'Campaign', 'Text'], list),
		rows.length > LISTED ? `<p>And ${rows.length - LISTED} more.</p>` : '',
		`<p>${appointments()} appointments in the data table Messaging appointments.</p>`,
	];
}

/** The parts of the page, and the counts. */
function result() {
	// Without the 0, n8n takes the output that leads here directly: that of the errors.
	const { identity, input } = $('Check').first(0).json;
	const rows = seenRows();
	const optedOut = $('Opt-out').first().json.id !== undefined;
	const { page, ...counts } =
		plain(input.action) === 'forget' ? forgotten(rows, optedOut) : { page: stored(rows) };
	const list = optedOut
		? 'On the list of opt-outs: no campaign writes to this person. Only messages such as order confirmations are sent.'
		: 'Not on the list of opt-outs.';
	return {
		page: [`<h1>${escape(identity)}: ${escape(input.action)}</h1>`, `<p>${list}</p>`, ...page],
		...{ optedOut, ...counts },
	};
}

const NUMBER = 'The phone number must be complete, and start with + and the country code';

/** For a number that Check cannot read. */
const refused = ({ error }) => ({
	page: [
		'<h1>Nothing was done</h1>',
		`<p>${/^'Chat ID'/.test(error) ? NUMBER : escape(error.replace(/ \[item \d+\]$/, ''))}.</p>`,
	],
});

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1f2937;background:#fff}
h1{overflow-wrap:anywhere}table{border-collapse:collapse}th{text-align:left}td,th{padding:.25rem 1rem .25rem 0;vertical-align:top}td:first-child,th:first-child{white-space:nowrap}td:last-child{min-width:12rem;overflow-wrap:anywhere}td b{display:none}
@media(max-width:40rem){tr{display:block;padding:.5rem 0}th{display:none}td{display:block;padding:0}td b{display:inline}}`;
const isDone = $('Rows to change').isExecuted;
const { page, ...counts } = isDone ? result() : refused($input.first().json);
const html = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Forget a person</title><style>${STYLE}</style></head><body><main>${page.join('\n')}${backLine('Form', !isDone)}</main></body></html>`;
return [{ json: { ...counts, html } }];
