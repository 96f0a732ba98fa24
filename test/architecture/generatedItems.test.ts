import { textTo, post } from '../harness/client';
import { run } from '../harness/engine';
import { ALL_OPERATIONS, OPERATIONS, prepare, quickParameters } from '../harness/operations';
import { json, Polling, useWallClock } from '../harness/polling';
import { useGateway } from '../harness/sandboxAccount';
import { runAndWait } from '../harness/waiting';
import { compare, generatedNames } from './generated';

const gateway = useGateway();
const file = { data: 'QUJD', mimeType: 'text/plain', fileName: 'a.txt' };
const MAX_WIDTH = 100;

/** Times, delivery keys, the sandbox's ids of messages, and QR codes. */
const VARIABLE: Array<[RegExp, string]> = [
	[/^\d{4}-\d\d-\d\dT/, '…'],
	[/^[\da-f]{8}-[\da-f-]{27}$/, '…'],
	[/^3EB0[\dA-F]+$/, '3EB0…'],
	[/^2@/, '2@…'],
];

/** Replaces what differs from run to run. */
function stable(key: string, value: unknown): unknown {
	if (key === 'fileSize') return 1000;
	if (typeof value !== 'string') return value;
	return VARIABLE.find(([pattern]) => pattern.test(value))?.[1] ?? value;
}

function block(item: unknown): string {
	const line = JSON.stringify(item, stable, 1).replace(/\n\s*/g, ' ');
	const text = line.length > MAX_WIDTH ? JSON.stringify(item, stable, '\t') : line;
	return `\`\`\`json\n${text}\n\`\`\``;
}

/** What must happen for each event, before the trigger starts and after. */
const EVENTS: Record<string, { before?: () => unknown; after: () => unknown }> = {
	statusChanged: { after: () => gateway.setStatus('DISCONNECTED') },
	sessionOffline: { after: () => gateway.setStatus('DISCONNECTED') },
	deferredAdded: { after: defer },
	deferredSettled: { before: defer, after: () => gateway.setStatus('ONLINE') },
};

async function defer() {
	gateway.setStatus('DISCONNECTED');
	const message = { ...textTo('4915123456789', 'Later'), windowMs: 600_000 };
	await post(gateway.account, 'sendMessage', message);
}

/** The documents show only what a user needs. */
const isShown = (name: string) => generatedNames().includes(name);

test('every generated part is known', () => {
	const items = ALL_OPERATIONS.map(({ title }) => title as string);
	const known = [...items, ...Object.keys(EVENTS), 'errors'];
	expect(generatedNames().filter((name) => !known.includes(name))).toEqual([]);
});

describe('the item of each operation that a document shows', () => {
	const shown = OPERATIONS.filter(({ title }) => isShown(title));

	test.each(shown.map((operation) => [operation.title, operation] as const))(
		'%s',
		async (title, operation) => {
			const parameters = await prepare(operation, gateway.account, gateway);
			const { items } = await run({
				account: gateway.account,
				parameters: { ...quickParameters(operation), ...parameters },
				items: [{ json: {}, binary: { data: file } }],
			});
			compare(title, block(items[0]!.json));
		},
	);

	const CHECK = 'Message > Check';
	const ASK = 'Message > Send and Wait for Response';
	const parametersOf = (name: string) =>
		ALL_OPERATIONS.find(({ title }) => title === name)!.parameters as Record<string, string>;

	test(CHECK, async () => {
		const parameters = {
			...parametersOf(CHECK),
			chatId: '0151 23456789',
			text: '**Your order** is on its way',
			options: { defaultCountry: 'DE', textFormat: 'markdown' },
		};
		const { items } = await run({ account: gateway.account, parameters });
		compare(CHECK, block(items[0]!.json));
	});

	test(ASK, async () => {
		const waiting = await runAndWait({ account: gateway.account, parameters: parametersOf(ASK) });
		const { text } = JSON.parse(gateway.theRequest().bodyText!) as { text: string };
		const link = /https?:\S+/.exec(text)![0];
		const { resumed } = await waiting.post(link, { approved: 'true' });
		compare(ASK, block(resumed!.items[0]!.json));
	});
});

describe('the item of each event that a document shows', () => {
	const clock = useWallClock();

	test.each(Object.entries(EVENTS).filter(([event]) => isShown(event)))(
		'%s',
		async (event, { before, after }) => {
			await before?.();
			const trigger = new Polling(gateway.account, { event });
			await trigger.start();
			await after();
			const items = json(await trigger.poll());
			// Some need a second poll, or ten minutes.
			if (items.length === 0) clock.pass(10);
			if (items.length === 0) items.push(...json(await trigger.poll()));
			compare(event, block(items[0]));
		},
	);
});
