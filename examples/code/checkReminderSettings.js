// What is wrong with the settings of the reminders; empty if nothing is. n8n 2.20 cuts the text of an error at its colons, so
// a separate node stops the run.
const { isTimezone, minutesOf } = require('./shared/campaigns.js');
const { KINDS } = require('./shared/appointments.js');

const KNOWN = ['name', 'title', 'date', 'time', 'sender', 'place', 'contact', 'link'];
const settings = $('Reminder settings').first().json;

function problem() {
	const hours = KINDS.map((kind) => settings[`${kind}Hours`]);
	const wrong = KINDS.find((_, index) => !(hours[index] >= 0 && hours[index] <= 7 * 24));
	if (wrong) return `'${wrong}Hours' must be a number from 0 (no such reminder) to 168`;
	if (hours.every((each) => each === 0)) return "'firstHours' and 'secondHours' are both 0";
	if (hours[0] === hours[1]) return "'firstHours' and 'secondHours' must differ";
	const time = ['quietFrom', 'quietTo', 'eveningAt'].find((name) =>
		Number.isNaN(minutesOf(settings[name])),
	);
	if (time) return `'${time}' must be a time such as 21:00`;
	if (!isTimezone(settings.timezone)) return "'timezone' must be a name such as Europe/London";
	const empty = ['sender', 'contact', 'language'].find((name) => !String(settings[name]).trim());
	if (empty) return `'${empty}' is empty`;
	const owner = String(settings.owner ?? '').trim();
	if (owner && !/^(\+|00)[\d ().\/-]{7,}$|@/.test(owner))
		return `'owner' must be a phone number with + and country code`;
	for (const kind of KINDS) {
		const text = String(settings[`${kind}Text`]);
		const unknown = [...text.matchAll(/\{([^{}]*)\}/g)].find(([, name]) => !KNOWN.includes(name));
		if (unknown) return `'${kind}Text' has ${unknown[0]}. Known are {${KNOWN.join('}, {')}}`;
		if (!text.includes('{time}')) return `'${kind}Text' does not say when: {date} at {time}`;
	}
	if (!/^https?:\/\/[^/?#]+\/[^?#]*$/.test(settings.page))
		return "The address of this n8n is not known. Set 'page' to the Production URL of Link opened in '17. Appointments: page'";
	return '';
}

const found = problem();
return [{ json: { problem: found && `In Reminder settings: ${found}` } }];
