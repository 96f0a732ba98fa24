// Today and tomorrow as a page: who comes, what was sent, and what could not be sent.
const { backLine } = require('./shared/forms.js');
const { escape, linked } = require('./shared/texts.js');

const { timezone, sender } = $('Reminder settings').first().json;
const { lines, problems } = $('Plan')
	.all()
	.map(({ json }) => json)
	.find(({ step }) => step === 'summary');
const ANSWERS = {
	coming: ['comes', 'good'],
	'another time': ['needs another time', 'bad'],
	cancel: ['has cancelled', 'bad'],
};

const zoned = (ms) => DateTime.fromMillis(ms, { zone: timezone });
const today = $now.setZone(timezone);

const isBad = (state) => /^(not sent:|may have)/.test(state);
/** What became of the reminders, and why there are none. */
const toldOf = ({ states, why }) =>
	[...states, why.startsWith('not sent') ? why : ''].filter(Boolean);

function rowOf(line) {
	const { startsAt, name, phone, title, status, answer } = line;
	const [label, look] =
		status === 'cancelled' ? ['cancelled', ''] : (ANSWERS[answer] ?? ['no answer yet', 'open']);
	const list = toldOf(line).map(
		(state) => `<li${isBad(state) ? ' class="bad"' : ''}>${escape(state)}</li>`,
	);
	return `<tr${status === 'cancelled' ? ' class="gone"' : ''}><th scope="row">${zoned(startsAt).toFormat('HH:mm')}</th><td>${escape(name)}<br><small>${escape(title)}</small><br>${linked(phone)}</td><td class="${look}">${label}</td><td><ul>${list.join('')}</ul></td></tr>`;
}

function day(title, date) {
	const isPast = date < today.startOf('day');
	const ofDay = lines.filter(
		(line) => zoned(line.startsAt).hasSame(date, 'day') && (!isPast || toldOf(line).some(isBad)),
	);
	if (isPast && ofDay.length === 0) return '';
	const heading = `<h2>${title}, ${date.toFormat('cccc d LLLL')}</h2>`;
	if (ofDay.length === 0) return `${heading}<p>No appointments.</p>`;
	const head = ['Time', 'Who', 'Answer', 'Reminders'].map((name) => `<th scope="col">${name}</th>`);
	return `${heading}<table><thead><tr>${head.join('')}</tr></thead><tbody>${ofDay.map(rowOf).join('')}</tbody></table>`;
}

const added = $('New appointment').isExecuted ? $('New appointment').first().json : undefined;
const news = added
	? added.problem
		? `<p class="bad"><strong>Not added: ${escape(added.problem)}.</strong></p>`
		: `<p class="good"><strong>Added: ${escape(added.name)}, ${zoned(new Date(added.startsAt).getTime()).toFormat('cccc d LLLL, HH:mm')}.</strong></p>`
	: '';
const back = added ? backLine('Add an appointment', added.problem !== '') : '';
const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1f2937;background:#fff}
h1,h2{overflow-wrap:anywhere}h2{margin:2rem 0 .5rem}p{margin:.5rem 0 1rem}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.4rem .75rem .4rem 0;vertical-align:top;border-top:1px solid #d1d5db}td{overflow-wrap:anywhere}ul{margin:0;padding-left:1.1rem}thead th{border:0}.gone{text-decoration:line-through}.good{color:#166534}.bad{color:#b91c1c}.open{font-weight:600}a{color:inherit}
@media(max-width:40rem){thead{display:none}tr{display:grid;grid-template-columns:4rem 1fr;padding:.5rem 0;border-top:1px solid #d1d5db}th,td{border:0;padding:.1rem 0}td{grid-column:2}}`;
const html = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Appointments</title><style>${STYLE}</style></head><body><main><h1>${escape(sender)}</h1>${news}${problems.map((each) => `<p class="bad"><strong>${escape(each)}</strong></p>`).join('')}${day('Not reminded yesterday', today.minus({ days: 1 }))}${day('Today', today)}${day('Tomorrow', today.plus({ days: 1 }))}<p><small>Read at ${today.toFormat('HH:mm')}, ${escape(timezone)}. To move or cancel an appointment, change your calendar, or for one of the form startsAt or status (cancelled) in the data table Messaging appointments.</small></p>${back}</main></body></html>`;
return [{ json: { html } }];
