/** Alerts arrive, whatever has failed: by every channel that works, and before anything is stored. */
import { Alarm, ALERTS, row, STATES } from './alarm';
import { OUTBOX } from './exampleWith';

const CASES = STATES.flatMap((Email) =>
	STATES.flatMap((Message) =>
		(['off', 'working'] as const).flatMap((Chat) =>
			[true, false].map((isFull) => ({ Email, Chat, Message, isFull })),
		),
	),
);

test('9c reaches every channel that works, fails if one does not, and tries again if none does', async () => {
	for (const { isFull, ...channels } of CASES) {
		const nine = new Alarm(channels);
		nine.tables.insert(OUTBOX, row('unknown', 5));
		nine.tables.isFull = isFull;
		const namesOf = (state: string) =>
			Object.entries(channels).flatMap(([name, each]) => (each === state ? [name] : []));
		const working = namesOf('working');
		const failures = [
			...namesOf('failing').map((name) => `${name} (${name} cannot be reached)`),
			...(isFull ? ['the data table (no confirmation)'] : []),
		];
		const error = await nine.run();
		expect([channels, Object.keys(nine.takeSent())]).toEqual([channels, working]);
		expect(nine.tables.rows(ALERTS)).toHaveLength(isFull ? 0 : 1);
		if (failures.length === 0) expect(error).toBeUndefined();
		else expect(error).toContain(`Not delivered by ${failures.join(', ')}`);

		const isTableOnly = working.length + namesOf('failing').length === 0;
		const isDelivered = working.length > 0 || (isTableOnly && !isFull);
		const again = await nine.run();
		expect([nine.takeSent(), again === undefined]).toEqual([{}, isDelivered]);
		expect(nine.tables.rows(ALERTS)).toHaveLength(isFull ? 0 : isDelivered ? 1 : 2);
	}
});

test('an alert that the gateway has deferred has reached nobody', async () => {
	const nine = new Alarm({ Message: 'working' });
	nine.outcome = 'deferred';
	nine.tables.insert(OUTBOX, row('unknown', 5));
	for (const _ of [1, 2]) {
		expect(await nine.run()).toContain('Message (deferred)');
		expect(nine.takeLines()).toHaveLength(1);
	}
});

test('9a reaches every channel that works, and fails if one does not', async () => {
	for (const { Message: _, isFull, ...channels } of CASES) {
		const nine = new Alarm(channels, '9a-offline-alert');
		nine.tables.isFull = isFull;
		const error = await nine.run();
		const working = Object.entries(channels).filter(([, state]) => state === 'working');
		expect(Object.keys(nine.takeSent())).toEqual(working.map(([name]) => name));
		expect(nine.tables.rows(ALERTS)).toHaveLength(isFull ? 0 : 1);
		const hasFailed = isFull || Object.values(channels).includes('failing');
		expect([channels, isFull, error !== undefined]).toEqual([channels, isFull, hasFailed]);
	}
});
