import type { INodeType } from 'n8n-workflow';

import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGateway/MessagingGatewayTrigger.node';
import { type RunOptions, workflowOf } from '../harness/engine';
import { pace } from '../harness/messages';

const account = { baseUrl: 'http://127.0.0.1:1', token: 't', secret: 's' };
const NODE = 'Messaging Gateway';

/** The hints that n8n's editor shows for these parameters and this number of input items. */
function hintsOf(nodeType: INodeType, parameters: object, count: number) {
	const { expression } = workflowOf({ account, parameters, nodeType } as RunOptions);
	const items = Array.from({ length: count }, (_, id) => ({ json: { id } }));
	const isShown = (condition?: string) =>
		expression.getParameterValue(condition, null, 0, 0, NODE, items, 'internal', {}) === true;
	return nodeType.description
		.hints!.filter(({ displayCondition }) => isShown(displayCondition))
		.map(({ message }) => message);
}

/** The fields that the hints of the node name. */
const shown = (parameters: object, count: number) =>
	hintsOf(new MessagingGateway(), parameters, count).map((message) => /'(.+?)'/.exec(message)![1]!);

const send = (options: object = {}, operation = 'send') => ({
	...{ resource: 'message', operation, chatId: '4915123456789', text: 'x', options },
});
const PACE = 'Pace';
const KEY = 'Idempotency Key';

test.each([
	[send(), 51, [PACE]],
	[send(), 50, []],
	[send(pace(20)), 1000, []],
	[send({}, 'check'), 1000, []],
	[send({ idempotencyKey: 'order-1' }), 1, []],
	[send({ idempotencyKey: 'automatic' }), 2, []],
	[send({ idempotencyKey: '=order-{{ $json.id }}' }), 2, []],
	[send({ idempotencyKey: 'order-1' }, 'sendMedia'), 51, [PACE, KEY]],
])('%j with %d items shows %j', (parameters, count, expected) => {
	expect(shown(parameters, count)).toEqual(expected);
});

test('the trigger shows a hint for the events of deferred messages', () => {
	const events = ['deferredAdded', 'deferredSettled', 'sessionOffline', 'statusChanged'];
	const hinted = events.filter(
		(event) => hintsOf(new MessagingGatewayTrigger(), { event }, 0).length > 0,
	);
	expect(hinted).toEqual(['deferredAdded', 'deferredSettled']);
});
