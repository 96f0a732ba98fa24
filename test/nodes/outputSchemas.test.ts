import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../gateway/json';
import { run } from '../harness/engine';
import { deliveryWindow, jsonBody } from '../harness/messages';
import { ALL_OPERATIONS, ITEM, nameOf, OPERATIONS, prepare } from '../harness/operations';
import { type Schema, SCHEMAS, violations } from '../harness/outputSchema';
import { useGateway } from '../harness/sandboxAccount';
import { ask } from './ask/ask';

const gateway = useGateway();

test('each operation has a schema, and there are no others', () => {
	expect(Object.keys(SCHEMAS).sort()).toEqual(ALL_OPERATIONS.map(nameOf).sort());
});

const parametersOf = (name: string) =>
	ALL_OPERATIONS.find((operation) => nameOf(operation) === name)!.parameters;
const outputs = async (name: string, parameters: object, json: IDataObject = {}, limits = {}) => {
	const { items, error } = await run({
		account: { ...gateway.account, ...limits },
		parameters: { ...parametersOf(name), ...parameters },
		items: [{ ...ITEM, json }],
	});
	expect(error).toBeUndefined();
	return items.map((item) => item.json);
};
const TEST_NUMBER = { sendTo: 'testNumber', testRecipient: '+4915199999999' };
const answer = async (parameters: object, body: Record<string, string>, limits = {}) => {
	const account = { ...gateway.account, ...limits };
	const { post, link } = await ask(gateway, parameters, { account });
	const { resumed } = await post(link, body);
	return resumed!.items.map(({ json }) => json);
};
const LONG = 'These words fill the parts. '.repeat(5);

/** The items that contain fields which the item in operations.ts does not have. */
const CONDITIONAL: Record<string, () => Promise<IDataObject[]>> = {
	async 'message/send'() {
		gateway.setStatus('DISCONNECTED');
		const options = { splitLongText: 100, ...deliveryWindow(60) };
		const deferred = await outputs('message/send', { text: LONG, options });
		gateway.setStatus('ONLINE');
		return [...deferred, ...(await outputs('message/send', {}, {}, TEST_NUMBER))];
	},
	async 'message/sendAndWait'() {
		return [
			...(await answer({}, { approved: 'true' })),
			...(await answer({}, { approved: 'true' }, TEST_NUMBER)),
			...(await answer({ responseType: 'freeText' }, { 'field-0': 'Yes' })),
			...(await answer(
				{ responseType: 'eachItem', draftRecipient: '+44 7700 900123', draft: 'Hello' },
				{ approved: 'true', 'tick-0': 'true' },
			)),
		];
	},
	async 'message/check'() {
		const options = { splitLongText: 100, idempotencyKey: 'order-1', includeInput: true };
		const limits = { sendTo: 'allowed', allowedRecipients: 'groups' };
		return await outputs('message/check', { text: LONG, options }, {}, limits);
	},
	async 'session/qr'() {
		gateway.answerWith(jsonBody({ qr: null, status: 'AWAITING_QR' }));
		return await outputs('session/qr', {});
	},
	async 'session/waitUntilOnline'() {
		gateway.setStatus('AWAITING_QR');
		const options = { onTimeout: 'item', returnOnNewQr: true };
		const shown = await outputs('session/waitUntilOnline', { options }, { qr: 'old' });
		gateway.faults([{ status: 503 }]);
		const times = { timeout: 1, pollInterval: 0.5 };
		return [...shown, ...(await outputs('session/waitUntilOnline', { options, ...times }))];
	},
};

/** Their items in a rehearsal have fields of their own. */
const REHEARSED = ['message/send', 'session/pair', 'session/start', 'deferred/delete'];

/** Paths of the fields, such as `data.approved`; below `input`, they are those of the input item, below `testNumber` of a message. */
const paths = (value: unknown, inside = ''): string[] =>
	isObject(value) && !['input', 'parts[]', 'testNumber'].includes(inside)
		? Object.entries(value).flatMap(([name, inner]) => {
				const path = inside ? `${inside}.${name}` : name;
				const below = Array.isArray(inner)
					? inner.flatMap((entry) => paths(entry, `${path}[]`))
					: paths(inner, path);
				return [path, ...below];
			})
		: [];
const pathsOf = (schema: Schema): string[] =>
	Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [
		name,
		...pathsOf(inner).map((path) => `${name}.${path}`),
		...pathsOf(inner.items ?? {}).map((path) => `${name}[].${path}`),
	]);

describe('a schema has exactly the fields that its operations output:', () => {
	const groups = [...new Set(Object.values(SCHEMAS))].map((schema) => {
		const names = Object.keys(SCHEMAS).filter((name) => SCHEMAS[name] === schema);
		return [names.join(', '), schema, names] as const;
	});

	test.each(groups)('%s', async (_, schema, names) => {
		const items: IDataObject[] = [];
		for (const operation of OPERATIONS.filter((each) => names.includes(nameOf(each)))) {
			const parameters = await prepare(operation, gateway.account, gateway);
			const own = await outputs(nameOf(operation), parameters);
			expect(own.map((json) => violations(schema, json)).flat()).toEqual([]);
			items.push(...own);
			gateway.setStatus('ONLINE');
		}
		for (const name of names.filter((each) => REHEARSED.includes(each))) {
			gateway.setStatus('DISCONNECTED');
			items.push(...(await outputs(name, {}, {}, { sendTo: 'nobody' })));
			gateway.setStatus('ONLINE');
		}
		for (const name of names) items.push(...((await CONDITIONAL[name]?.()) ?? []));
		expect(new Set(items.flatMap((json) => paths(json)))).toEqual(new Set(pathsOf(schema)));
	});
});
