/**
 * The judge of "nothing is ignored": it walks the descriptions of both nodes, and enters values of the wrong shape, outside the range and
 * not among the choices into every field, option and group of every operation and event. Each is rejected before a request, or gives the
 * same as the right value: nothing third.
 */
import { isDeepStrictEqual } from 'node:util';

import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { MessagingGateway } from '../../../nodes/MessagingGateway/MessagingGateway.node';
import { MessagingGatewayTrigger } from '../../../nodes/MessagingGateway/MessagingGatewayTrigger.node';
import { isDeep } from '../../harness/depth';
import { run } from '../../harness/engine';
import { ALL_OPERATIONS, ITEM, prepare, quickParameters } from '../../harness/operations';
import { Polling } from '../../harness/polling';
import { type Gateway, useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';

jest.setTimeout(600_000);

type Values = Record<string, unknown>;

/** A field, and the parameters of its operation or event around it. */
interface Place {
	where: string;
	field: INodeProperties;
	parametersWith: (value: unknown) => Values;
}

/** What an expression returns. */
const EVALUATED = new Map<unknown, unknown>([
	['={{ undefined }}', undefined],
	['={{ $json.missing.deeper }}', undefined],
	['={{ null }}', null],
	['={{ NaN }}', NaN],
	['={{ Infinity }}', Infinity],
	['={{ true }}', true],
	['={{ $json }}', { number: 5 }],
	['={{ [5] }}', [5]],
	['={{ ({ values: [] }) }}', { values: [] }],
	['={{ new Date(0) }}', new Date(0)],
]);

/** Whatever an import, an agent or an expression writes instead of the right value. */
const SHAPES: unknown[] = [
	...['stop', 'x', ' ', '5 s', '0x10', '1,5', 'NaN', '[object Object]', '{"values":{"amount":5}}'],
	...['[]', 'null', null, true, -7, 0.25, 1e21, 12_345_678_901_234, [], [null], ['x'], [5], [{}]],
	...[[{ values: {} }], [{ name: 'a', value: 'b' }], {}, { a: 1 }, { values: null }],
	...[{ values: 'x' }, { values: [] }, { values: { mesagesPerMinute: 5 } }, { values: [{ x: 1 }] }],
	...[{ values: ['x'] }, { other: {} }, { batch: [] }, { batch: { batchSize: 'x' } }],
	...[{ parameters: {} }, { parameters: ['x'] }, { parameters: [{ key: 1 }] }, { __rl: true }],
	{ values: { offlineAction: { values: 'stop' } } },
	...EVALUATED.keys(),
];

const WRONG = Symbol('wrong');

function isInRange({ typeOptions }: INodeProperties, value: number): boolean {
	const { minValue = -Infinity, maxValue = Infinity, numberPrecision } = typeOptions ?? {};
	return value >= minValue && value <= maxValue && (numberPrecision !== 0 || value % 1 === 0);
}

const plain = (text: unknown) => String(text).toLowerCase().replace(/\s/g, '');
const isChoice = ({ options }: INodeProperties, entered: string) =>
	(options as INodePropertyOptions[]).some(({ name, value }) =>
		[name, value].map(plain).includes(plain(entered)),
	);

/** The value that the field declares for a shape, which gives the same; WRONG if there is none. */
function rightValue(field: INodeProperties, shape: unknown): unknown {
	const value = EVALUATED.has(shape) ? EVALUATED.get(shape) : shape;
	const isNumber = typeof value === 'number' && Number.isFinite(value);
	// n8n takes the default for a null that is stored in a field with conditions.
	if (shape === null && field.displayOptions) return field.default;
	switch (field.type) {
		case 'string':
			// Words can also be a list.
			if (/Statuses$/.test(field.name) && Array.isArray(value)) return value;
			return typeof value === 'string' ? value : isNumber ? String(value) : WRONG;
		case 'number':
			return isNumber && isInRange(field, value) ? value : WRONG;
		case 'boolean':
			return typeof value === 'boolean' ? value : WRONG;
		case 'options':
			if (field.allowArbitraryValues) return typeof value === 'string' || isNumber ? value : WRONG;
			return typeof value === 'string' && isChoice(field, value) ? value : WRONG;
		case 'json':
			return typeof value === 'string' ||
				Object.prototype.toString.call(value) === '[object Object]'
				? value
				: WRONG;
		case 'resourceLocator':
			return typeof value === 'string' || isNumber ? value : WRONG;
		case 'multiOptions':
			return [value].flat().every((word) => typeof word === 'string' || typeof word === 'number')
				? value
				: WRONG;
		case 'collection':
		case 'fixedCollection':
			// Only what its default is: nothing added. For n8n, a stored null of a parameter is the same.
			if (JSON.stringify(field.default) !== '{}') return WRONG;
			return shape === null || JSON.stringify(value) === '{}' ? {} : WRONG;
		default:
			throw new Error(`${field.name} has the type ${field.type}. Add what its right values are.`);
	}
}

const isContainer = ({ type }: INodeProperties) => /collection$/i.test(type);

/** A right value for a field, in which every inner field counts. */
const SAMPLES: Values = {
	approvalOptions: {
		values: { approvalType: 'double', approveLabel: 'Yes', disapproveLabel: 'No' },
	},
	formFields: {
		values: [
			{
				...{ fieldType: 'dropdown', fieldLabel: 'Size', fieldName: 'size', requiredField: true },
				...{ fieldOptions: { values: [{ option: 'S' }] }, placeholder: 'x' },
			},
		],
	},
	fieldOptions: { values: [{ option: 'S' }] },
	queryParameters: { parameters: [{ name: 'a', value: 'b' }] },
	whenOffline: { values: { offlineAction: 'wait', onlineTimeout: 1 } },
	pace: { values: { messagesPerMinute: 6000, randomPart: 1 } },
};

/** What has to be entered next to a field, so that the node reads it. */
const COMPANIONS: Record<string, Values> = {
	disapproveLabel: { approvalType: 'double' },
	placeholder: { fieldType: 'text' },
	keyPurpose: { idempotencyKey: 'oncePerDay' },
};
const PARAMETERS: Record<string, Values> = {
	textFormat: { caption: 'x' },
	formFields: { responseType: 'customForm' },
	responseFormButtonLabel: { responseType: 'freeText' },
	mediaUrl: { mediaSource: 'url' },
	mediaBase64: { mediaSource: 'base64', mediaBase64: 'QUJD' },
	limit: { returnAll: false },
	draft: { responseType: 'eachItem', draftRecipient: '4915123456789' },
	draftRecipient: { responseType: 'eachItem', draft: 'x' },
	allowEdits: { responseType: 'eachItem', draftRecipient: '4915123456789', draft: 'x' },
};

/** A field and all fields inside it. `put` puts a value of the field into the parameters. */
function placesIn(field: INodeProperties, put: Place['parametersWith'], outside = ''): Place[] {
	const where = outside + field.displayName;
	const own = { where, field, parametersWith: put };
	if (!isContainer(field)) return [own];
	const inside = `${where} > `;
	if (field.type === 'collection') {
		const withOption = (name: string) => (value: unknown) => ({
			...put({ ...COMPANIONS[name], [name]: value }),
			...PARAMETERS[name],
		});
		const options = field.options as INodeProperties[];
		return [own, ...options.flatMap((option) => placesIn(option, withOption(option.name), inside))];
	}
	const [{ name, values }] = field.options as [INodePropertyCollection];
	const sample = SAMPLES[field.name] as Values | undefined;
	if (!sample) throw new Error(`Add a right value of ${field.name} to the samples.`);
	const entry = [sample[name]].flat()[0] as Values;
	const withValue = (inner: string) => (value: unknown) => {
		const changed = { ...entry, ...COMPANIONS[inner], [inner]: value };
		return put({ [name]: Array.isArray(sample[name]) ? [changed] : changed });
	};
	return [own, ...values.flatMap((value) => placesIn(value, withValue(value.name), inside))];
}

/** The field with the options that the editor shows for this operation. */
const withShown = (field: INodeProperties, operation: unknown): INodeProperties => {
	if (field.type !== 'collection') return field;
	const isHidden = ({ displayOptions: { hide = {} } = {} }: INodeProperties) =>
		(hide['/operation'] as unknown[] | undefined)?.includes(operation);
	const options = field.options as INodeProperties[];
	return { ...field, options: options.filter((option) => !isHidden(option)) };
};

/** The places of the fields that the editor shows for these choices. */
const shown = (properties: INodeProperties[], chosen: Values) =>
	properties
		.map((field) => withShown(field, chosen.operation))
		.filter(({ type, name }) => !/^(hidden|notice)$/.test(type) && !CHOSEN.includes(name))
		.filter(({ displayOptions: { show = {} } = {} }) =>
			CHOSEN.every((name) => !show[name] || (show[name] as unknown[]).includes(chosen[name])),
		)
		.flatMap((field) =>
			placesIn(field, (value) => ({ ...PARAMETERS[field.name], [field.name]: value })),
		);
const CHOSEN = ['resource', 'operation', 'event'];

/** In `npm test` a part of the shapes, another one for each place; all of them at night. */
const EVERY = isDeep ? 1 : 16;
function shapesFor({ typeOptions }: INodeProperties, place: number): unknown[] {
	const { minValue, maxValue, numberPrecision } = typeOptions ?? {};
	const edges = [
		...(minValue === undefined ? [] : [minValue - 1]),
		...(maxValue === undefined ? [] : [maxValue + 1]),
		...(numberPrecision === 0 ? [minValue! + 0.5] : []),
	];
	return [...edges, 'other', ...SHAPES.filter((_, index) => (index + place) % EVERY === 0)];
}

interface Result {
	error: string | undefined;
	requests: string[];
}

/** How it ended, and what was sent. The link of a question and the key of a delivery are others each time. */
const resultOf = (gateway: Gateway, error: Error | undefined, key = 'x'): Result => ({
	error: error?.message,
	requests: gateway
		.requests()
		.map(({ method, url, bodyText }) => `${method} ${url} ${bodyText}`)
		.map((line) => line.replace(/https?:\/\/n8n\S+/g, 'LINK').replace(`/${key}`, '/KEY')),
});

/** Each shape in each place is rejected before a request, or gives the same as the right value. */
const testPlaces = (places: Place[], resultWith: (entered: Values) => Promise<Result>) =>
	test.each(places.map((place, at) => ({ ...place, at })))('$where', async (place) => {
		const wrong: unknown[] = [];
		for (const shape of shapesFor(place.field, place.at)) {
			const result = await resultWith(place.parametersWith(shape));
			if (result.error !== undefined && result.requests.length === 0) continue;
			const right = rightValue(place.field, shape);
			const expected = right === WRONG ? undefined : await resultWith(place.parametersWith(right));
			if (!isDeepStrictEqual(result, expected)) wrong.push({ shape, result, expected });
		}
		expect(wrong).toEqual([]);
	});

describe.each(ALL_OPERATIONS)('$title', (operation) => {
	// Some values make a message wait. The sandbox draws images in another thread, which virtual time does not see.
	if (operation.parameters.resource === 'message') useVirtualTime();
	const gateway = useNewGateways();
	const { properties } = new MessagingGateway().description;

	testPlaces(shown(properties, operation.parameters), async (entered) => {
		gateway.reset();
		const parameters = await prepare(operation, gateway.account, gateway);
		gateway.clearRequests();
		const { error } = await run({
			account: gateway.account,
			parameters: { ...quickParameters({ ...operation, parameters }), ...entered },
			items: [{ ...ITEM, json: { number: 5 } }],
			isHostile: true,
			executionId: 'shapes',
			establishedAt: 1,
		}).catch((thrown: Error) => ({ error: thrown }));
		return resultOf(gateway, error as Error, parameters.deliveryKey as string);
	});
});

const { properties } = new MessagingGatewayTrigger().description;
const events = properties.find(({ name }) => name === 'event')!.options as INodePropertyOptions[];

describe.each(events)('the trigger on $value', ({ value: event }) => {
	const gateway = useNewGateways();

	testPlaces(shown(properties, { event }), async (entered) => {
		gateway.reset();
		gateway.setStatus('ONLINE');
		const polling = new Polling(gateway.account, { event, ...entered });
		const error = await polling.fetchTestEvent().catch((thrown: Error) => thrown);
		return resultOf(gateway, error instanceof Error ? error : undefined);
	});
});
