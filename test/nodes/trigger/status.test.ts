import type { IDataObject } from 'n8n-workflow';

import type { SessionStatus } from '../../../dev/sandbox/sandbox';
import { json, Polling, useWallClock } from '../../harness/polling';
import { useGateway } from '../../harness/sandboxAccount';

const gateway = useGateway();
const clock = useWallClock();

// random.test.ts has several outages, restarts of n8n and outages of the gateway.
const polling = (event: string) => (parameters: IDataObject) =>
	new Polling(gateway.account, { event, ...parameters });

describe('statusChanged', () => {
	const changed = polling('statusChanged');

	/** Polls once after each change; returns the result of each poll. */
	async function changes(trigger: Polling, ...statuses: SessionStatus[]) {
		const reported = [];
		for (const status of statuses) {
			gateway.setStatus(status);
			reported.push(await trigger.poll());
		}
		return reported;
	}

	test.each<[IDataObject, string[]]>([
		[{ toStatuses: 'banned, auth_failure,ONLINE' }, ['AUTH_FAILURE', 'ONLINE']],
		[{ fromStatuses: 'AWAITING_QR', toStatuses: 'ONLINE' }, []],
		[{ toStatuses: '={{ ["disconnected", "online"] }}' }, ['DISCONNECTED', 'ONLINE']],
	])('with %j reports the changes to %j', async (filters, statuses) => {
		const trigger = changed(filters);
		await trigger.start();
		const reported = await changes(trigger, 'DISCONNECTED', 'AUTH_FAILURE', 'ONLINE');
		expect(reported.flatMap(json).map(({ status }) => status)).toEqual(statuses);
		// A filtered status is still the previous status of the next one, even after a restart.
		expect(reported.filter((one) => one === null)).toEqual([]);
	});

	test.each<[SessionStatus, IDataObject, string]>([
		['AWAITING_QR', { fromStatuses: 'CONNECTING' }, 'CONNECTING'],
		['ONLINE', { fromStatuses: 'ONLINE' }, 'DISCONNECTED'],
		['DISCONNECTED', { fromStatuses: 'DISCONNECTED' }, 'ONLINE'],
	])('Fetch test event while %s shows a change', async (status, filters, previousStatus) => {
		gateway.setStatus(status);
		const at = new Date().toISOString();
		expect(await changed(filters).fetchTestEvent()).toEqual([
			{ event: 'statusChanged', status, previousStatus, at, isSample: true },
		]);
	});
});

describe('sessionOffline', () => {
	const offline = polling('sessionOffline');

	test('waits again if the clock is set back, but neither fails nor reports twice', async () => {
		const trigger = offline({});
		gateway.setStatus('DISCONNECTED');
		await trigger.start();
		clock.pass(-24 * 60);
		expect(await trigger.poll()).toBeNull();
		clock.pass(10);
		expect(json(await trigger.poll())).toMatchObject([{ minutes: 10 }]);
		clock.pass(-24 * 60);
		expect(await trigger.poll()).toBeNull();
		clock.pass(48 * 60);
		expect(await trigger.poll()).toBeNull();
	});

	test.each(['DISCONNECTED', 'ONLINE'] as const)(
		'Fetch test event while %s shows an outage',
		async (present) => {
			gateway.setStatus(present);
			const [event] = await offline({ minutes: 7 }).fetchTestEvent();
			expect(event).toMatchObject({ status: 'DISCONNECTED', minutes: 7, isSample: true });
			// The first column of the table in the editor, where nobody misses it.
			expect(Object.keys(event!)[0]).toBe('isSample');
		},
	);
});
