import { type INodeProperties, NodeHelpers } from 'n8n-workflow';

import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { run } from '../../harness/engine';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';
import {
	bodyOf,
	deliveryWindow,
	gapsMs,
	keysSent,
	messages,
	sending,
	whenOffline,
} from '../../harness/messages';

useVirtualTime();
const gateway = useNewGateways();

afterEach(() => jest.restoreAllMocks());

const { properties } = new MessagingGateway().description;

const sendOptions = properties
	.filter(({ displayOptions: { show } = {} }) => show?.operation?.includes('send'))
	.find(({ name }) => name === 'options')!.options as INodeProperties[];

/** What the editor preselects if the user adds the option. */
const added = (option: string) => ({
	[option]: sendOptions.find(({ name }) => name === option)!.default,
});

/** What n8n stores of the options. It leaves out values that are defaults. */
function stored(options: Record<string, unknown>): Record<string, unknown> {
	const values = { resource: 'message', operation: 'send', options } as never;
	const of = [{ typeVersion: 1 }, new MessagingGateway().description] as const;
	const parameters = NodeHelpers.getNodeParameters(properties, values, false, false, ...of);
	return parameters!.options as Record<string, unknown>;
}

test.each(['stop', 'wait'])('n8n stores When Offline with nothing but %s', (action) => {
	expect(stored(whenOffline(action))).toEqual(whenOffline(action));
});

test('options that were added and left as they are apply after n8n has stored them', async () => {
	jest.spyOn(Math, 'random').mockReturnValue(0.25);
	const names = ['idempotencyKey', 'pace', 'deliveryWindow'];
	const options = stored(Object.assign({}, ...names.map(added)) as Record<string, unknown>);
	await run(sending(gateway, { options, items: messages(3) }));
	expect(keysSent(gateway)).toEqual(Array(3).fill(expect.stringMatching(/^n8n-/)));
	expect(gateway.requests().map((request) => bodyOf(request).windowMs)).toEqual(
		Array(3).fill(3_600_000),
	);
	// 20 per minute with a quarter of the random part of 20 %.
	expect(gapsMs(gateway)).toEqual([3_150, 3_150]);
});

test.each<[number | string, number]>([
	[1.5, 90_000],
	['={{ $json.minutes }}', 7_200_000],
	[0.07, 4_200],
])('a delivery window of %s minutes goes out in milliseconds', async (minutes, windowMs) => {
	const items = [{ json: { ...messages(1)[0]!.json, minutes: 120 } }];
	const { error } = await run(sending(gateway, { items, options: deliveryWindow(minutes) }));
	expect(error).toBeUndefined();
	expect(bodyOf(gateway.theRequest()).windowMs).toBe(windowMs);
});
