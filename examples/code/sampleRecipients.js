// 200 made-up people in three time zones. One of them is listed twice, and one has no number.
const NAMES = [
	'Ada',
	'Grace',
	'Katherine',
	'Mary',
	'Dorothy',
	'Annie',
	'Hedy',
	'Radia',
	'Joan',
	'Karen',
];
const GROUPS = [
	{ prefix: '+44 7700 9002', timezone: 'Europe/London', size: 70 },
	{ prefix: '+1 212 555 01', timezone: 'America/New_York', size: 65 },
	{ prefix: '+1 310 555 01', timezone: 'America/Los_Angeles', size: 65 },
];

const people = GROUPS.flatMap(({ prefix, timezone, size }) =>
	Array.from({ length: size }, (_, index) => ({
		phone: prefix + String(index).padStart(2, '0'),
		name: NAMES[index % NAMES.length],
		timezone,
	})),
);
const duplicate = { ...people[0], phone: people[0].phone.replaceAll(' ', '') };
const withoutNumber = { phone: 'no number yet', name: 'Valentina', timezone: '' };
return [...people, duplicate, withoutNumber].map((json) => ({ json }));
