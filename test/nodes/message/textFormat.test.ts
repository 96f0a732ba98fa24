import { run } from '../../harness/engine';
import { bodyOf } from '../../harness/messages';
import { useGateway } from '../../harness/sandboxAccount';

let mockLoads = 0;
jest.mock('../../../gateway/text/markdown', () => {
	mockLoads += 1;
	return jest.requireActual<object>('../../../gateway/text/markdown');
});

const gateway = useGateway();

const send = async (text: string, textFormat?: string, fields: object = {}) =>
	await run({
		account: gateway.account,
		parameters: {
			...{ resource: 'message', operation: 'send', chatId: '4915123456789', text },
			...fields,
			options: textFormat === undefined ? {} : { textFormat },
		},
		items: [{ json: {}, binary: { data: { data: 'AAAA', mimeType: 'image/png' } } }],
	});

const sentBodies = () => gateway.requests().map(bodyOf);

test('does not load the parser unless a message needs it', async () => {
	await send('# **Hi** *Ada*');
	await send('# **Hi** *Ada*', 'asIs');
	expect(sentBodies().map(({ text }) => text)).toEqual(['# **Hi** *Ada*', '# **Hi** *Ada*']);
	expect(mockLoads).toBe(0);
});

test('sends Markdown as the formatting of chats, in the caption of a file, too', async () => {
	await send('# **Hi** *Ada*', 'markdown');
	const media = { operation: 'sendMedia', mediaType: 'file' };
	await send('', 'markdown', { ...media, caption: '[Menu](https://a.example)' });
	expect(sentBodies()).toMatchObject([
		{ text: '*Hi _Ada_*' },
		{ caption: 'Menu: https://a.example' },
	]);
});

test('rejects a text that is too long only after the conversion', async () => {
	const rows = '|a'.repeat(20) + '\n';
	const head = `${`|${'n'.repeat(40)}`.repeat(20)}\n${'|-'.repeat(20)}\n`;
	const { error } = await send(head + rows.repeat(1_300), 'markdown');
	expect(error?.message).toContain(
		"'Text', converted from Markdown, is longer than 1000000 characters",
	);
	expect(gateway.requests()).toEqual([]);
});
