// Takes the pictures of the documents, light and dark, with the setup of the live tests:
// `node test/live/main.mjs --testMatch=**/dev/tools/pictures.ts`
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

import { chunk, countBy, memoize, minBy, sortBy } from 'lodash';
import { PNG } from 'pngjs';
import type { BrowserContextOptions, Locator, Page, PageScreenshotOptions } from 'playwright-core';

import { post, textTo } from '../../test/harness/client';
import { browserTest, BROWSER_HEADERS, formPassword, useBrowser } from '../../test/live/browser';
import { byTestId, execute, openGatewayNode, openNode, showQrCode } from '../../test/live/editor';
import { live } from '../../test/live/live';
import { type Json, waitFor } from '../../test/live/n8n';
import {
	messagingGateway,
	messagingGatewayTrigger,
	createWorkflow,
	manualTrigger,
	type Node,
} from '../../test/live/createWorkflow';
import { questionTo } from '../../test/live/questions';
import { sandbox, useSandbox } from '../../test/live/sandbox';
import { publish, run, withPassword } from '../../test/live/examples/examples';

const CHAT = '447700900123';
const PHONE = { width: 390, height: 600 };

/** How far a node's labels extend beyond the node. */
const LABEL_MARGIN = 76;

/** Notifications, controls for the mouse, shadows, and the dots of the canvas, which only make the file larger. */
const HIDE = `
	.el-notification, .vue-flow__panel, [class*="nodeButtonsWrapper"],
	[data-test-id="ndv-backdrop"], [data-test-id="floating-nodes"],
	[data-test-id="canvas-handle-plus-wrapper"], [data-test-id="canvas-background"],
	[data-reka-popper-content-wrapper], [data-test-id="ndv-edit-pinned-data"], [data-test-id="ndv-pin-data"] { display: none !important }`;

/** Lies over the margin around a workflow. */
const HIDE_ON_CANVAS = `${HIDE}
	[class*="executionButtons"], [role="radiogroup"] { display: none !important }`;

useBrowser();

const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

function pictureTest(
	title: string,
	run: (page: Page) => Promise<void>,
	options: () => BrowserContextOptions = () => ({}),
): void {
	// Two pixels of the image for each pixel of the page, so that text stays readable on all screens.
	browserTest(title, run, () => ({ deviceScaleFactor: 2, ...options() }));
}

useSandbox();

pictureTest('the node and its message on the phone', async (page) => {
	await run('5-image-and-invoice');
	await page.setViewportSize({ width: 1240, height: 820 });
	const send = messagingGateway({
		chatId: { __rl: true, mode: 'id', value: '={{ $json.phone }}' },
		text: '=Hello {{ $json.name }},\nyour table is booked for {{ $json.when }}.',
	});
	const guest = { name: 'Ada', phone: '+44 7700 900123', when: 'Friday, 7 pm' };
	await openNode(page, await workflowFrom('New booking', guest, send));
	await execute(page);
	await takeFields(page, 'node');

	const phone = await openPhone(page);
	await phone.getByTestId('bubble').getByText('your table is booked').waitFor();
	await take('message', phone);
});

async function openPhone(page: Page, size = PHONE): Promise<Page> {
	const phone = await page.context().newPage();
	await phone.setViewportSize(size);
	await phone.goto(`${live.urls.phone}#${CHAT}`);
	return phone;
}

/** A workflow that starts with this item. */
const workflowFrom = async (name: string, item: Json, ...nodes: Node[]) =>
	await createWorkflow([{ ...manualTrigger, name }, ...nodes], {
		pinData: { [name]: [{ json: item }] },
	});

/** The fields of the open node, without the empty space below them. */
async function takeFields(page: Page, name: string): Promise<void> {
	const fields = byTestId(page, 'node-parameters');
	await takeTop(page, fields, fields.locator('input:visible, button:visible').last(), name);
}

/** So large that n8n does not shrink the workflow. */
const CANVAS = { width: 2000, height: 1300 };

/** What is still readable on a phone. */
const CROP = { width: 620, height: 620 };

/** Where the crop begins, if not at the first node of ours. */
const CENTERS = [
	...['Store', 'Send with a delivery window', 'Set rows', 'Valid link?'],
	...['Rows to change', 'May I write', 'Plan', 'Decide answer'],
];

const FRAME = { width: 480, height: 480 };

pictureTest(
	'from the form to the phone',
	async (page) => {
		await page.setViewportSize(CANVAS);
		await page.goto(`${live.urls.n8n}/workflow/${live.workflows['1-form-to-message.json']}`);
		const opened = page.context().waitForEvent('page');
		await byTestId(page, 'execute-workflow-button').first().click();
		const form = await opened;
		await form.setViewportSize(FRAME);
		await form.getByLabel('Your name').fill('Ada');
		await form.getByLabel('Phone number').fill('+44 7700 900123');
		await form.getByLabel('Message').fill('See you on Friday at 7 pm');
		const filled = await inBothThemes(form);
		await form.getByRole('button', { name: 'Send' }).click();
		await form.getByRole('heading', { name: 'Sent', exact: true }).waitFor();
		await page.bringToFront();
		await page.mouse.move(0, 0);
		const executed = await inBothThemes(page, await cropOfCanvas(page));
		const phone = await openPhone(page, FRAME);
		await phone.getByTestId('bubble').getByText('See you on Friday').waitFor();
		const received = await inBothThemes(phone);
		for (const theme of THEMES) {
			const pictures: Array<[string, Buffer]> = [
				['1. Fill in the form', filled[theme]],
				['2. n8n runs the workflow', executed[theme]],
				['3. The message is on the phone', received[theme]],
			];
			writeFileSync(pathOf('form-to-phone', theme, 'svg'), slides(theme, pictures));
		}
	},
	() => ({ ...formPassword(), deviceScaleFactor: 1.5 }),
);

const SLIDE_SECONDS = 3;
const CAPTION_HEIGHT = 44;

/** An animation that shows one picture after the other, without end. */
function slides(theme: Theme, pictures: Array<[caption: string, png: Buffer]>): string {
	const { width, height } = FRAME;
	const share = 100 / pictures.length;
	const layers = pictures.map(
		([caption, png], index) => `<g style="animation-delay:${index * SLIDE_SECONDS}s">
<text x="${width / 2}" y="29">${caption}</text>
<image y="${CAPTION_HEIGHT}" width="${width}" height="${height}" href="data:image/png;base64,${png.toString('base64')}"/>
</g>`,
	);
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" viewBox="0 0 ${width} ${height + CAPTION_HEIGHT}">
<style>
g { opacity: 0; animation: show ${SLIDE_SECONDS * pictures.length}s infinite }
g:first-of-type { opacity: 1 }
text { font: 600 20px sans-serif; text-anchor: middle; fill: #fff }
@keyframes show { 0%, ${share - 4}% { opacity: 1 } ${share}%, 96% { opacity: 0 } 100% { opacity: 1 } }
</style>
<rect width="100%" height="100%" rx="10" fill="#17211e"/>
<rect y="${CAPTION_HEIGHT}" width="${width}" height="${height}" fill="${theme === 'light' ? '#f5f5f5' : '#171717'}"/>
${layers.join('\n')}
</svg>
`;
}

pictureTest('the QR code', async (page) => {
	await sandbox.setStatus('AWAITING_QR');
	await page.setViewportSize({ width: 1560, height: 780 });
	await (await showQrCode(page)).waitFor();
	const clip = await clipAround([byTestId(page, 'output-panel')]);
	await take('qr-code', page, { clip });
});

pictureTest('the list of deferred deliveries', async (page) => {
	await sandbox.setStatus('DISCONNECTED');
	for (const chatId of [CHAT, '4915123456789', '120363041234567890@g.us']) {
		const message = { ...textTo(chatId, 'See you on Friday'), windowMs: 600_000 };
		await post(live.account, 'sendMessage', message);
	}
	await page.setViewportSize({ width: 1240, height: 780 });
	await openGatewayNode(page, { resource: 'deferred', operation: 'get' });
	const field = byTestId(page, 'parameter-item').filter({ has: byTestId(page, 'rlc-input') });
	await byTestId(page, 'rlc-input').click();
	const items = byTestId(page, 'rlc-item');
	await items.filter({ hasText: '@g.us' }).waitFor();
	const clip = await clipAround([field, ...(await items.all())], 8);
	// The list is a popper, which the other pictures hide.
	await take('delivery-list', page, { clip, style: '' });
});

/** A panel from its top to below this element. */
async function takeTop(page: Page, panel: Locator, last: Locator, name: string): Promise<void> {
	const clip = await clipAround([panel]);
	const { y, height } = (await last.boundingBox())!;
	clip.height = y + height + 16 - clip.y;
	await take(name, page, { clip });
}

pictureTest('the trigger', async (page) => {
	await page.setViewportSize({ width: 1560, height: 780 });
	const trigger = messagingGatewayTrigger({ event: 'sessionOffline' });
	await openNode(page, await createWorkflow([trigger]));
	await takeFields(page, 'trigger');
});

pictureTest('a question in the chat, and its page', async (page) => {
	const reason = 'First order above 5,000 €';
	const request = { name: 'Grace', discount: 10, customer: 'Ada & Sons', reason };
	const ask = messagingGateway(
		{
			operation: 'sendAndWait',
			chatId: CHAT,
			message:
				'={{ $json.name }} asks for a discount of {{ $json.discount }}% for {{ $json.customer }}.\n\nReason: {{ $json.reason }}',
			approvalOptions: { values: { approvalType: 'double' } },
			options: { responseFormTitle: 'Discount request' },
		},
		'Ask the manager',
	);
	const text = '={{ String($json.data.approved) }}';
	const decision = messagingGateway({ chatId: CHAT, text }, 'Send decision');
	const workflow = await workflowFrom('New request', request, ask, decision);
	await page.setViewportSize({ width: 1000, height: 600 });
	await page.goto(`${live.urls.n8n}/workflow/${workflow}`);
	await byTestId(page, 'execute-workflow-button').first().click();
	const { link } = await questionTo(CHAT);
	const chat = await openPhone(page);
	await chat.getByTestId('bubble').getByRole('link').waitFor();
	await take('question', chat);
	await chat.goto(link);
	await take('question-page', chat);
});

pictureTest(
	'the phone',
	async (page) => {
		await page.setViewportSize({ width: 800, height: 640 });
		await page.goto(live.urls.phone);
		const others = {
			'120363049876543210@newsletter': 'New in the shop: figs and quinces',
			'120363041234567890@g.us': 'The van leaves at 8 tomorrow',
		};
		for (const [chatId, text] of Object.entries(others)) {
			await post(live.account, 'sendMessage', textTo(chatId, text));
		}
		await run('4-bulk-send-from-csv');
		await run('5-image-and-invoice');
		await page.getByTestId(`chat-${CHAT}`).click();
		await page.mouse.move(0, 0);
		await take('phone', page);
	},
	// Narrow enough for a phone, and wide enough for both columns.
	() => ({ deviceScaleFactor: 1.75 }),
);

describe('the canvas of', () => {
	const readme = readFileSync(join(__dirname, '../../examples/README.md'), 'utf8');
	for (const [file, id] of Object.entries(live.workflows)) {
		if (!readme.includes(`pictures/${file.replace('.json', '.png')}`)) continue;
		pictureTest(file, async (page) => {
			await page.setViewportSize(CANVAS);
			await page.goto(`${live.urls.n8n}/workflow/${id}`);
			await byTestId(page, 'canvas-node').first().waitFor();
			await page.waitForLoadState('networkidle');
			await stableScreenshot(page);
			await take(file.replace('.json', ''), page, await cropOfCanvas(page));
		});
	}
});

/** The first node of ours, and the nodes nearest to it that fit; without the others and the notes. */
async function cropOfCanvas(page: Page): Promise<{ clip: Box; style: string }> {
	const nodes = await page
		.locator('.vue-flow__node', { has: page.locator('[data-node-type]') })
		.evaluateAll((elements) =>
			elements.map((element) => {
				const { x, y, width, height } = element.getBoundingClientRect();
				const inner = element.querySelector('[data-node-type]')!;
				const type = inner.getAttribute('data-node-type')!;
				const name = inner.getAttribute('data-node-name')!;
				return { id: element.getAttribute('data-id')!, name, type, x, y, width, height };
			}),
		);
	const shown = nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
	const center =
		shown.find(({ name }) => CENTERS.includes(name)) ??
		shown.find(({ type }) => /messagingGateway/.test(type)) ??
		shown.at(-1)!;
	const distance = ({ x, y }: Box) => Math.hypot(x - center.x, y - center.y);
	let inside = [center];
	for (const node of shown.sort((a, b) => distance(a) - distance(b)).slice(1)) {
		const { width, height } = boxAround([...inside, node], LABEL_MARGIN);
		if (width <= CROP.width && height <= CROP.height) inside = [...inside, node];
	}
	const ids = inside.map(({ id }) => `[data-id="${id}"]`);
	return {
		clip: boxAround(inside, LABEL_MARGIN),
		style: `${HIDE_ON_CANVAS} .vue-flow__node:not(${ids.join()}) { visibility: hidden !important }`,
	};
}

// Runs after the canvases: next to a published workflow, the editor shows a list of further setup steps.
pictureTest('the pairing page', async (page) => {
	await sandbox.setStatus('DISCONNECTED');
	const url = await publish('3-pair-a-phone', '/webhook/pair-a-phone');
	await page.setExtraHTTPHeaders(BROWSER_HEADERS);
	await page.setViewportSize({ width: 560, height: 560 });
	await page.goto(withPassword(url));
	await page.getByAltText('QR code').waitFor();
	await take('pairing-page', page, { animations: 'allow' });
});

/** Takes screenshots until two in a row are identical. */
async function stableScreenshot(page: Page, options: PageScreenshotOptions = {}): Promise<Buffer> {
	let before: Buffer | undefined;
	return await waitFor('a stable screenshot', async () => {
		const now = await page.screenshot({ animations: 'disabled', style: HIDE, ...options });
		const isStable = before?.equals(now);
		before = now;
		return isStable ? now : undefined;
	});
}

interface Box {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** The smallest rectangle that contains all elements, plus a margin. */
async function clipAround(elements: Locator[], margin = 0): Promise<Box> {
	const boxes = elements.map(async (element) => (await element.boundingBox())!);
	return boxAround(await Promise.all(boxes), margin);
}

function boxAround(boxes: Box[], margin: number): Box {
	const left = Math.min(...boxes.map(({ x }) => x)) - margin;
	const top = Math.min(...boxes.map(({ y }) => y)) - margin;
	const right = Math.max(...boxes.map(({ x, width }) => x + width)) + margin;
	const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + margin;
	return { x: left, y: top, width: right - left, height: bottom - top };
}

const pathOf = (name: string, theme: Theme, extension: string) =>
	join(__dirname, '../../docs/pictures', `${name}${theme === 'dark' ? '-dark' : ''}.${extension}`);

/** Takes a picture in both themes. */
async function take(name: string, page: Page, options: PageScreenshotOptions = {}): Promise<void> {
	const pictures = await inBothThemes(page, options);
	for (const theme of THEMES) writeFileSync(pathOf(name, theme, 'png'), pictures[theme]);
}

async function inBothThemes(page: Page, options: PageScreenshotOptions = {}) {
	await page.emulateMedia({ colorScheme: 'dark' });
	const dark = indexed(await stableScreenshot(page, options));
	await page.emulateMedia({ colorScheme: 'light' });
	return { dark, light: indexed(await stableScreenshot(page, options)) };
}

/** With a palette of the 256 most frequent colors, a third of the size. Other colors become the nearest of them. */
function indexed(png: Buffer): Buffer {
	const { width, height, data } = PNG.sync.read(png);
	const pixels = Array.from({ length: width * height }, (_, i) => data.readUIntBE(4 * i, 3));
	const counts = Object.entries(countBy(pixels)).map(([color, count]) => ({ color, count }));
	const frequent = sortBy(counts, ({ count }) => -count).slice(0, 256);
	const palette = frequent.map(({ color }) => Number(color));
	const channels = (color: number) => [color >> 16, (color >> 8) & 255, color & 255];
	const distance = (one: number[], other: number[]) =>
		Math.hypot(...one.map((value, index) => value - other[index]!));
	const indexOf = memoize((color: number) => {
		const own = channels(color);
		return palette.indexOf(minBy(palette, (other) => distance(own, channels(other)))!);
	});
	// Each row begins with its filter: none.
	const rows = chunk(pixels, width).map((row) => Buffer.from([0, ...row.map(indexOf)]));
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width);
	header.writeUInt32BE(height, 4);
	// Eight bits per pixel, from a palette.
	header.set([8, 3], 8);
	return Buffer.concat([
		png.subarray(0, 8),
		pngChunk('IHDR', header),
		pngChunk('PLTE', Buffer.from(palette.flatMap(channels))),
		pngChunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
		pngChunk('IEND', Buffer.alloc(0)),
	]);
}

function pngChunk(type: string, data: Buffer): Buffer {
	const content = Buffer.concat([Buffer.from(type), data]);
	const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
	length.writeUInt32BE(data.length);
	checksum.writeUInt32BE(crc32(content));
	return Buffer.concat([length, content, checksum]);
}
