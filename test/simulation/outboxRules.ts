import type { IDataObject } from 'n8n-workflow';

import type { GatewaySpec } from './slowGateway';
import { type OutboxScenario, simulate } from './outbox';

export const START = Date.UTC(2026, 0, 1);

const RATES = [1, 3, 10, 15, 20, 60];
const SECONDS = [0.05, 4, 8, 20];

/** All gateways of the issue. */
export const GATEWAYS: GatewaySpec[] = RATES.flatMap((perMinute) =>
	SECONDS.flatMap((secondsPerMessage) =>
		[true, false].flatMap((oneAtATime) =>
			[undefined, 60].map((retryAfterS) => ({
				...{ perMinute, secondsPerMessage, oneAtATime, retryAfterS },
			})),
		),
	),
);

export const nameOf = ({ perMinute, secondsPerMessage, oneAtATime, retryAfterS }: GatewaySpec) =>
	`${perMinute} per minute, ${secondsPerMessage} s per message, ${oneAtATime ? 'one at a time' : 'in parallel'}${retryAfterS ? `, 429s of ${retryAfterS} s` : ''}`;

export const orders = (count: number, fields: IDataObject = {}): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({
		...{ requestId: '', recipient: `4477009${String(index).padStart(5, '0')}`, text: 'Hello' },
		...{ status: 'pending', attempts: 0, reason: '', ...fields },
		nextAttemptAt: new Date(START).toISOString(),
	}));

/** A campaign without limits, and messages of it that a number sends. */
export const RUNNING = {
	...{ name: 'Spring', status: 'running', timezone: 'UTC', weekdays: '1,2,3,4,5,6,7' },
	...{ windowFrom: '00:00', windowTo: '00:00', maxPerPerson: 0, perDays: 0 },
};
export const messagesOf = (number: string | null, count = 2): IDataObject[] =>
	orders(count, { campaign: 'Spring', person: '1', token: '1', number, otherNumbers: '' });

/** The schedule, the first batches, which find out how fast the gateway is, and the wait of the last row after a 429. */
const START_UP_MS = 180_000;
const MAX_TIME = 1.3;

/** What holds for each gateway. Each row is delivered once, and none is held by two runs. */
export async function expectDelivered(scenario: OutboxScenario) {
	const outcome = await simulate(scenario);
	expect(outcome.violations).toEqual([]);
	expect(outcome.rows.filter(({ status }) => status !== 'sent')).toEqual([]);
	expect(outcome.delivered.size).toBe(scenario.rows.length);
	return outcome;
}

/** As fast as the limit of the gateway allows. */
export async function expectFast(scenario: OutboxScenario) {
	const outcome = await expectDelivered(scenario);
	expect(outcome.settledMs).toBeLessThanOrEqual(MAX_TIME * outcome.shortestMs + START_UP_MS);
	return outcome;
}
