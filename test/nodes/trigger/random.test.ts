import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { Fault, SessionStatus } from '../../../dev/sandbox/sandbox';
import { depth, seedFrom } from '../../harness/depth';
import { useGateway } from '../../harness/sandboxAccount';
import { sendRequest, post, signatureHeaders, textTo, urlOf } from '../../harness/client';
import { json, Polling, useWallClock } from '../../harness/polling';

// The gateway uses the same fake clock, or it would reject later signatures.
const gateway = useGateway({ now: () => Date.now() });
const clock = useWallClock();

const MINUTES = 3;
const WORKFLOWS = [
	{ event: 'statusChanged' },
	{ event: 'statusChanged', toStatuses: ['ONLINE'] },
	{ event: 'sessionOffline', minutes: MINUTES },
	{ event: 'deferredAdded' },
	{ event: 'deferredSettled' },
];

const body = (text: string) => ({ body: { contentType: 'application/json', text } });

/** Faults of the polled endpoints only: messages are accepted meanwhile. */
const outages: Fault[][] = [
	{ cut: 'before' as const },
	{ status: 503 },
	body('{"success":true}'),
	body('{"deferred":[{"deliv'),
].map((fault) => (['status', 'listDeferred'] as const).map((endpoint) => ({ ...fault, endpoint })));

/** What happens between two polls. */
interface Event {
	status?: SessionStatus;
	defer?: number;
	remove?: number;
	minutes?: number;
}

const STATUSES: SessionStatus[] = ['ONLINE', 'DISCONNECTED', 'AUTH_FAILURE'];
const anyStep = fc.record({
	what: fc.oneof<Array<fc.Arbitrary<Event>>>(
		fc.record({ status: fc.constantFrom(...STATUSES) }),
		fc.record({ defer: fc.integer({ min: 1, max: 3 }) }),
		fc.record({ remove: fc.nat(3) }),
		fc.record({ minutes: fc.integer({ min: 1, max: 4 }) }),
		fc.constant({}),
	),
	/** The faults of the next polls. */
	outage: fc.oneof({ weight: 3, arbitrary: fc.constant<Fault[]>([]) }, fc.constantFrom(...outages)),
	/** How often n8n restarts, and whether the schedule polls before that. */
	restarts: fc.constantFrom(0, 0, 1, 2),
	polls: fc.boolean(),
});

/** Reports everything that is left. Twice, because a delivery settles after the second list without it. */
const LAST_STEP = { what: {}, outage: [], restarts: 1, polls: false };

async function perform({ status, defer = 0, remove = -1, minutes = 0 }: Event): Promise<void> {
	clock.pass(minutes);
	if (status) gateway.setStatus(status);
	const key = gateway.state().deferred[remove]?.deliveryKey;
	const headers = signatureHeaders(gateway.account, '');
	if (key)
		await sendRequest(urlOf(gateway.account, `deferred/${key}`), { method: 'DELETE', headers });
	if (defer > 0 && gateway.state().status === 'ONLINE') gateway.setStatus('DISCONNECTED');
	for (let count = 0; count < defer; count++) {
		const message = { ...textTo('4915123456789', String(count)), windowMs: 1e9 };
		const { status } = await post(gateway.account, 'sendMessage', message);
		expect(status).toBe(202);
	}
}

/** The expected events, derived from the visible state of the gateway. */
class Expectation {
	readonly reported: string[] = [];
	#status = 'ONLINE';
	#waiting: string[] = [];
	#offlineSince: number | undefined;
	#isReported = false;

	observe(): void {
		const { status, deferred } = gateway.state();
		if (status !== this.#status) {
			const change = `${this.#status} to ${status}`;
			this.reported.push(change, ...(status === 'ONLINE' ? [change] : []));
		}
		if (status === 'ONLINE') {
			this.#offlineSince = undefined;
			this.#isReported = false;
		} else {
			this.#offlineSince ??= Date.now();
			const isDue = Date.now() - this.#offlineSince >= MINUTES * 60_000;
			if (isDue && !this.#isReported) this.reported.push(`offline since ${this.#offlineSince}`);
			this.#isReported ||= isDue;
		}
		const waiting = deferred.map(({ deliveryKey }) => deliveryKey);
		const difference = (from: string[], to: string[]) => to.filter((key) => !from.includes(key));
		this.reported.push(...difference(this.#waiting, waiting).map((key) => `added ${key}`));
		this.reported.push(...difference(waiting, this.#waiting).map((key) => `settled ${key}`));
		this.#waiting = waiting;
		this.#status = status;
	}
}

const textOf: Record<string, (item: Record<string, string>) => string> = {
	statusChanged: ({ previousStatus, status }) => `${previousStatus} to ${status}`,
	sessionOffline: ({ offlineSince }) => `offline since ${Date.parse(offlineSince!)}`,
	deferredAdded: ({ deliveryKey }) => `added ${deliveryKey}`,
	deferredSettled: ({ deliveryKey }) => `settled ${deliveryKey}`,
};

class Workflows {
	readonly items: IDataObject[] = [];
	readonly #pollings = WORKFLOWS.map((parameters) => new Polling(gateway.account, parameters));

	get reported(): string[] {
		return this.items.map((item) => textOf[item.event as string]!(item as Record<string, string>));
	}

	async each(act: 'poll' | 'start'): Promise<void> {
		for (const polling of this.#pollings) this.items.push(...json(await polling[act]()));
	}
}

/**
 * Restarts are polls too, and may repeat the first list without a delivery. So deliveries that were settled one after the
 * other may be reported together, in the order of the list.
 */
const byEvent = (items: IDataObject[]) => {
	const place = ({ event, deliveryKey }: IDataObject) =>
		event === 'deferredSettled' ? `${event} ${deliveryKey as string}` : (event as string);
	return items
		.toSorted((a, b) => place(a).localeCompare(place(b)))
		.map(({ lastSeenAt: _, settledAt: __, ...item }) => item);
};

test('reports each event once, whatever happens and whenever n8n restarts', async () => {
	const count = new Map<unknown, number>();
	await fc.assert(
		fc.asyncProperty(fc.array(anyStep, { minLength: 10, maxLength: 25 }), async (history) => {
			gateway.reset();
			gateway.setStatus('ONLINE');
			const expected = new Expectation();
			const steady = new Workflows();
			const restless = new Workflows();
			await steady.each('start');
			await restless.each('start');
			for (const { what, outage, restarts, polls } of [...history, LAST_STEP, LAST_STEP]) {
				await perform(what);
				gateway.faults(outage);
				if (outage.length === 0) expected.observe();
				await steady.each('poll');
				if (polls || restarts === 0) await restless.each('poll');
				for (let starts = 0; starts < restarts; starts++) await restless.each('start');
			}
			expect(steady.reported.toSorted()).toEqual(expected.reported.toSorted());
			// lastSeenAt and settledAt depend on the last saved state.
			expect(byEvent(restless.items)).toEqual(byEvent(steady.items));
			for (const { event } of steady.items) count.set(event, (count.get(event) ?? 0) + 1);
		}),
		{ numRuns: depth(2, 20), seed: seedFrom('TRIGGER_SEED'), endOnFailure: true },
	);
	// Each event occurred.
	for (const { event } of WORKFLOWS) expect(count.get(event)).toBeGreaterThan(0);
}, 600_000);
