// What each choice changes: the status of the campaign, and the status of its rows.
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

const { name, action } = $input.first().json;
if (!Object.keys(STEPS).includes(action))
	throw new Error(`'action' is '${action}'. Use one of: ${Object.keys(STEPS).join(', ')}.`);
const steps =
	STEPS[action].length > 0 ? STEPS[action] : [{ campaign: ['-', '-'], rows: ['-', '-'] }];
return steps.map(({ campaign, rows }) => ({
	json: {
		name,
		campaignFrom: campaign[0],
		campaignTo: campaign[1],
		rowsFrom: rows[0],
		rowsTo: rows[1],
	},
}));
