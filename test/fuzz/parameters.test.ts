import fc from 'fast-check';
import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { MessagingGateway } from '../../nodes/MessagingGateway/MessagingGateway.node';
import { anyText } from '../harness/anyText';
import { run } from '../harness/engine';
import { pace } from '../harness/messages';
import { useGateway } from '../harness/sandboxAccount';
import {
	anyName,
	anyOperation,
	expectInvariants,
	fuzzTest,
	onErrors,
	secret,
	token,
	weighted,
} from './cases';

const gateway = useGateway({ token, secret });

/** Expressions whose values are not plain text or numbers. */
const EXPRESSIONS = [
	...['{{ null }}', '{{ undefined }}', '{{ NaN }}', '{{ Infinity }}', '{{ -0 }}', '{{ 1e400 }}'],
	...['{{ [] }}', '{{ [null] }}', '{{ [[["x"]]] }}', '{{ {} }}', '{{ true }}', '{{ 10n }}'],
	...['{{ ({ toString() { return "447700900123" } }) }}', '{{ ({ toString: null }) }}'],
	...['{{ ({ toJSON() { throw new Error("no") } }) }}'],
	...['{{ ({ get x() { throw new Error("no") } }) }}'],
	...['{{ JSON.parse(\'{"__proto__": {"polluted": true}}\') }}', '{{ Object.create(null) }}'],
	...['{{ new Date() }}', '{{ new Date(NaN) }}', '{{ $now }}', '{{ DateTime.invalid("x") }}'],
	...['{{ new Map([[1, 2]]) }}', '{{ new Set([1]) }}', '{{ /x/ }}', '{{ Symbol("x") }}'],
	...['{{ () => 1 }}', '{{ (() => { const x = {}; x.x = x; return x })() }}', '{{ "\\ud800" }}'],
	...['{{ "x".repeat(1e6) }}', '{{ new Array(1000).fill("x") }}', '{{ $json }}', '{{ '],
	...['{{ $json.value }}', '{{ $json.absent.more }}', '{{ $json.value }} and {{ $json.value }}'],
	...['{{ $("Nowhere").item.json.x }}', '{{ Promise.resolve(1) }}'],
].map((expression) => `=${expression}`);

const oneOf = (...values: unknown[]) => fc.constantFrom(...values);
const anyValue: fc.Arbitrary<unknown> = fc.oneof(
	weighted(6, oneOf(...EXPRESSIONS)),
	weighted(2, anyText({ maxLength: 40 })),
	weighted(2, oneOf(null, NaN, Infinity, -1, 0, 0.5, 1e21, true, false, '', ' ')),
	weighted(2, oneOf('..', '%2e%2e', 'a/b', '?x=1', '#', '\u0000', '{token}', '{deliveryKey}')),
	weighted(1, oneOf('+447700900123', '120363041234567890@g.us', 'https://a.example/AbC123')),
	weighted(2, fc.dictionary(anyName, oneOf('x', 1, null, {}), { maxKeys: 3 })),
	weighted(1, fc.array(oneOf('x', 1, null), { maxLength: 3 })),
);

const { properties } = new MessagingGateway().description;
const namesOf = (list: INodeProperties[]) => [...new Set(list.map(({ name }) => name))];

const FIELDS = namesOf(properties).filter(
	(name) => !['resource', 'operation', 'options', 'advancedOptions'].includes(name),
);
const OPTIONS = namesOf(
	properties
		.filter(({ name }) => /^(options|advancedOptions)$/.test(name))
		.flatMap(({ options = [] }) => options as INodeProperties[]),
);

const someOf = (names: string[], maxKeys: number) =>
	fc.dictionary(fc.constantFrom(...names), anyValue, { maxKeys, noNullPrototype: true });

/** Items as a spreadsheet, a form or a webhook may provide them. */
const anyItem: fc.Arbitrary<INodeExecutionData> = fc.record({
	json: fc.record({ value: fc.oneof(fc.jsonValue({ maxDepth: 3 }), anyValue) }),
	binary: fc.constantFrom(
		{ data: { data: 'QUJD', mimeType: 'text/plain' } },
		{ data: { data: '', mimeType: '' } },
		{ data: { data: '!', mimeType: 'x\r\ny', fileName: '../\u0000' } },
	),
}) as fc.Arbitrary<INodeExecutionData>;

/** n8n itself rejects an empty required field before the node runs. */
const isIncomplete = (thrown: Error) => thrown.constructor.name === 'WorkflowHasIssuesError';

/** Long waits that a parameter requests are correct, but would take too long here. */
const NO_WAITING = { maxWait: 0, ...pace(0) };

fuzzTest(
	'handles hostile parameters with clear messages and valid signatures, without leaking secrets',
	fc.asyncProperty(
		anyOperation,
		someOf(FIELDS, 3),
		someOf(OPTIONS, 3),
		fc.array(anyItem, { minLength: 1, maxLength: 3 }),
		fc.boolean(),
		onErrors,
		async (operation, { timeout, ...fields }, options, items, asTool, onError) => {
			const parameters: Record<string, unknown> = {
				...{ ...operation, ...fields },
				...(timeout !== undefined && typeof timeout !== 'number' && { timeout }),
				options: { ...(operation.options as object), ...options, ...NO_WAITING },
			};
			// n8n's own check fails on a resource locator that is null, which no editor saves.
			if (parameters.deliveryKey === null) return;
			const settings = { onError };
			const given = { account: gateway.account, parameters, items, settings, asTool };
			const outcome = await run(given).catch((thrown: Error) => {
				if (!isIncomplete(thrown)) throw thrown;
			});
			if (!outcome) return;
			expectInvariants(outcome);
			// The sandbox responds with 401 if it cannot verify a signature.
			expect(gateway.requests().filter(({ status }) => status === 401)).toEqual([]);
			expect(({} as Record<string, unknown>).polluted).toBeUndefined();
			gateway.reset();
			gateway.setStatus('ONLINE');
		},
	),
);
