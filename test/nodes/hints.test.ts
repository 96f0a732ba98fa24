import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INode, INodeType } from 'n8n-workflow';

import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../nodes/MessagingGateway/MessagingGatewayTrigger.node';
import { type RunOptions, workflowOf } from '../harness/engine';

const account = { baseUrl: 'http://127.0.0.1:1', token: 't', secret: 's' };

/** The hints that n8n's editor shows for these parameters and this number of input items. */
function hintsOf(nodeType: INodeType, parameters: object, count: number) {
	const workflow = workflowOf({ account, parameters, nodeType } as RunOptions);
	const items = Array.from({ length: count }, (_, id) => ({ json: { id } }));
	return nodeType.description
		.hints!.filter(({ displayCondition }) => {
			const value = workflow.expression.getParameterValue(
				displayCondition,
				null,
				0,
				0,
				'Messaging Gateway',
				items,
				'internal',
				{},
			);
			return value === true;
		})
		.map(({ message }) => message);
}

/** The fields that the hints of the node name. */
const shown = (parameters: object, count: number) =>
	hintsOf(new MessagingGateway(), parameters, count).map((message) => /'(.+?)'/.exec(message)![1]!);

const send = (options: object = {}, operation = 'send') => ({
	...{ resource: 'message', operation, chatId: '4915123456789', text: 'x', options },
});
const RATE = 'Messages per Minute';
const KEY = 'Idempotency Key';

test.each([
	[send(), 51, [RATE]],
	[send({}, 'sendMedia'), 51, [RATE]],
	[send(), 50, []],
	[send({ messagesPerMinute: 20 }), 1000, []],
	[send({ delay: { values: { min: 5, max: 30 } } }), 1000, []],
	[{ ...send(), requestOptions: { batching: { batch: { batchSize: 10 } } } }, 51, []],
	[send({}, 'check'), 1000, []],
	[send({ idempotencyKey: 'order-1' }), 2, [KEY]],
	[send({ idempotencyKey: 'order-1' }), 1, []],
	[send({ idempotencyKey: 'automatic' }), 2, []],
	[send({ idempotencyKey: '=order-{{ $json.id }}' }), 2, []],
	[send({ idempotencyKey: 'order-1' }, 'sendMedia'), 51, [RATE, KEY]],
])('%j with %d items shows %j', (parameters, count, expected) => {
	expect(shown(parameters, count)).toEqual(expected);
});

test.each([
	['deferredAdded', 1],
	['deferredSettled', 1],
	['sessionOffline', 0],
	['statusChanged', 0],
])('the trigger shows for %s %d hints', (event, count) => {
	expect(hintsOf(new MessagingGatewayTrigger(), { event }, 0)).toHaveLength(count);
});

const folder = join(__dirname, '../../workflows');
const examples = readdirSync(folder).filter((file) => file.endsWith('.json'));
/** The examples that send to lists. */
const BULK = /^(4|11-outbox-send|13-campaign)/;

test.each(examples)('%s shows none', (file) => {
	const { nodes } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { nodes: INode[] };
	for (const { type, parameters } of nodes) {
		if (!type.endsWith('.messagingGateway')) continue;
		for (const count of BULK.test(file) ? [1, 1000] : [1, 20]) {
			expect(shown(parameters, count)).toEqual([]);
		}
	}
});
