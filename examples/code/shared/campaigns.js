// What a campaign may contain. Its row can be edited by hand.

/** A batch that starts just before the end of a window must not be sent after it. */
const LAST_START_MINUTES = 2;

/** Older rows are deleted, so no limit can look further back. */
const KEPT_DAYS = 30;
const STATUSES = ['draft', 'running', 'paused', 'stopped'];

/** Minutes since midnight of a time of day such as '09:30' or '9:30'; NaN if it is none. */
function minutesOf(time) {
	const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(time) ?? [];
	return Number(hour) * 60 + Number(minute);
}

const isTimezone = (name) =>
	typeof name === 'string' && DateTime.fromMillis(0, { zone: name }).isValid;

const isWholeNumber = (value, least, most = Infinity) =>
	Number.isInteger(value) && value >= least && value <= most;

const isWindow = (from, to) => (to - from + 24 * 60 - 1) % (24 * 60) >= LAST_START_MINUTES;

/** What to correct in the settings of a campaign; empty if all are valid. `place` is where they are. */
function problemInSettings(settings, place) {
	const { timezone, windowFrom, windowTo, weekdays, maxPerPerson, perDays } = settings;
	const [from, to] = [minutesOf(windowFrom), minutesOf(windowTo)];
	const rules = {
		timezone: [isTimezone(timezone), 'a name such as Europe/London'],
		windowFrom: [!Number.isNaN(from), 'a time such as 09:00'],
		windowTo: [!Number.isNaN(to), 'a time such as 18:00'],
		weekdays: [
			/^\s*[1-7](\s*,\s*[1-7])*\s*$/.test(weekdays),
			'numbers such as 1,2,3 (1 is Monday)',
		],
		maxPerPerson: [isWholeNumber(maxPerPerson, 0), 'a whole number (0 is no limit)'],
		perDays: [
			maxPerPerson === 0 || isWholeNumber(perDays, 1, KEPT_DAYS),
			`a whole number from 1 to ${KEPT_DAYS}`,
		],
	};
	const wrong = Object.keys(rules).find((name) => !rules[name][0]);
	if (wrong !== undefined) {
		return `Correct '${wrong}' in ${place}: it is '${settings[wrong] ?? ''}', and must be ${rules[wrong][1]}`;
	}
	if (isWindow(from, to)) return '';
	return `Correct 'windowTo' in ${place}: it must be more than ${LAST_START_MINUTES} minutes after 'windowFrom'`;
}

/** The same for the row of a campaign. */
function problemInCampaign(campaign) {
	const place = "the data table 'Messaging campaigns'";
	if (STATUSES.includes(campaign.status)) return problemInSettings(campaign, place);
	return `Correct 'status' in ${place}: it is '${campaign.status ?? ''}', and must be ${STATUSES.join(', ')}`;
}

module.exports = {
	LAST_START_MINUTES,
	minutesOf,
	isTimezone,
	problemInSettings,
	problemInCampaign,
};
