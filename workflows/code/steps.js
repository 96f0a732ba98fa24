// What each choice changes: the status of the campaign, and the status of its rows.
const { plain } = require('./shared/texts.js');

const STEPS = {
	'Show the report': [],
	Start: [{ campaign: ['draft', 'running'], rows: ['draft', 'pending'] }],
	Pause: [{ campaign: ['running', 'paused'], rows: ['pending', 'paused'] }],
	Resume: [{ campaign: ['paused', 'running'], rows: ['paused', 'pending'] }],
	Stop: ['draft', 'running', 'paused'].map((status) => ({
		campaign: [status, 'stopped'],
		rows: [status === 'running' ? 'pending' : status, 'stopped'],
	})),
};

const chosen = $('Form').isExecuted ? $('Form').first().json : $('Choice').first().json;
const { name } = chosen;
const action = Object.keys(STEPS).find((each) => plain(each) === plain(chosen.action));
if (action === undefined)
	throw new Error(`'action' is '${chosen.action}'. Use one of: ${Object.keys(STEPS).join(', ')}.`);

/** The name as it is stored, if the user wrote it in another case or with spaces around it. */
function storedName() {
	const names = $input.all().map(({ json }) => json.name ?? '');
	const similar = names.filter((each) => plain(each) === plain(name));
	return names.includes(name) || similar.length !== 1 ? name : similar[0];
}

const steps =
	STEPS[action].length > 0 ? STEPS[action] : [{ campaign: ['-', '-'], rows: ['-', '-'] }];
return steps.map(({ campaign, rows }) => ({
	json: {
		name: storedName(),
		action,
		campaignFrom: campaign[0],
		campaignTo: campaign[1],
		rowsFrom: rows[0],
		rowsTo: rows[1],
	},
}));
