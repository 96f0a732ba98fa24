import { type Outcome, run, type RunOptions } from '../../harness/engine';
import { useGateway } from '../../harness/sandboxAccount';

let mockLoads = 0;
jest.mock('../../../gateway/text/markdown', () => {
	mockLoads += 1;
	return jest.requireActual<object>('../../../gateway/text/markdown');
});

const gateway = useGateway();

const send = async (parameters: object, options: Partial<RunOptions> = {}): Promise<Outcome> =>
	await run({
		account: gateway.account,
		parameters: {
			resource: 'message',
			operation: 'send',
			chatId: '4915123456789',
			text: '# **Hi** *Ada*',
			...parameters,
		},
		...options,
	});

const media = {
	operation: 'sendMedia',
	mediaType: 'file',
	caption: '[Menu](https://a.example)',
	options: { textFormat: 'markdown' },
};
const withFile = {
	json: {},
	binary: { data: { data: 'AAAA', mimeType: 'image/png', fileName: 'a.png' } },
};

const sentBodies = () =>
	gateway.requests().map(({ bodyText }) => JSON.parse(bodyText!) as Record<string, unknown>);

test('does not load the parser unless a message needs it', async () => {
	await send({});
	await send({ options: { textFormat: 'asIs' } });
	expect(sentBodies().map(({ text }) => text)).toEqual(['# **Hi** *Ada*', '# **Hi** *Ada*']);
	expect(mockLoads).toBe(0);
});

describe.each([
	['in a workflow', false],
	['as a tool', true],
])('%s', (_name, asTool) => {
	test('sends Markdown as the formatting of chats', async () => {
		const { error } = await send({ options: { textFormat: 'markdown' } }, { asTool });
		expect(error).toBeUndefined();
		expect(sentBodies()).toMatchObject([{ text: '*Hi _Ada_*' }]);
	});

	test('converts the caption of a file', async () => {
		const { error } = await send(media, { asTool, items: [withFile] });
		expect(error).toBeUndefined();
		expect(sentBodies()).toMatchObject([{ caption: 'Menu: https://a.example' }]);
	});

	test('rejects another format before anything is sent', async () => {
		const { error } = await send({ options: { textFormat: 'html' } }, { asTool });
		expect(error?.message).toContain("'Text Format' is not one of its choices");
		expect(gateway.requests()).toEqual([]);
	});

	test('does not send an empty text if Markdown has nothing to show', async () => {
		await send({ text: '<br>', options: { textFormat: 'markdown' } }, { asTool });
		expect(sentBodies()).toMatchObject([{ text: '<br>' }]);
	});

	test('rejects a text that is too long only after the conversion', async () => {
		const rows = '|a'.repeat(20) + '\n';
		const head = `${`|${'n'.repeat(40)}`.repeat(20)}\n${'|-'.repeat(20)}\n`;
		const text = head + rows.repeat(1_300);
		const { error } = await send({ text, options: { textFormat: 'markdown' } }, { asTool });
		expect(error?.message).toContain(
			"'Text', converted from Markdown, is longer than 1000000 characters",
		);
		expect(gateway.requests()).toEqual([]);
	});
});
