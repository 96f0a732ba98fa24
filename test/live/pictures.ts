// `npm run pictures` takes the images of the READMEs. They need the same setup as the live tests, but are not tests.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { BrowserContextOptions, Locator, Page, PageScreenshotOptions } from 'playwright-core';

import { post, textTo } from '../harness/client';
import { browserTest, BROWSER_HEADERS, useBrowser } from './browser';
import { execute, openGatewayNode, openNode, byTestId } from './editor';
import { live } from './live';
import { waitFor } from './n8n';
import {
	messagingGateway,
	messagingGatewayTrigger,
	createWorkflow,
	manualTrigger,
} from './createWorkflow';
import { waitUntilWaiting } from './questions';
import { sandbox } from './sandbox';
import { publish, run, withPassword } from './workflows/examples';

const CHAT = '447700900123';

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

/** Two pixels of the image for each pixel of the page, so that text stays readable on all screens. */
const SCALE = 2;

const pictureTest = (
	title: string,
	run: (page: Page) => Promise<void>,
	options: () => BrowserContextOptions = () => ({}),
) => browserTest(title, run, () => ({ deviceScaleFactor: SCALE, ...options() }));

beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});

pictureTest('the node next to the phone', async (page) => {
	const phone = await page.context().newPage();
	await phone.setViewportSize({ width: 390, height: 760 });
	await phone.goto(`${live.urls.phone}#${CHAT}`);
	await run('5-image-and-invoice');

	await page.setViewportSize({ width: 1240, height: 820 });
	await openNode(page, await booking());
	await execute(page);
	await byTestId(page, 'output-panel').getByText('JSON', { exact: true }).click();
	await phone.getByTestId('bubble').getByText('your table is booked').waitFor();

	// Leaves out the border, which is translucent.
	const clip = await clipAround([byTestId(page, 'ndv')], -2);
	const both = [await stableScreenshot(page, { clip }), await stableScreenshot(phone)];
	await sideBySide(await page.context().newPage(), both, {
		name: 'node-and-phone',
		frames: ['node', 'phone'],
		width: 1700,
	});
});

const FRAME = { width: 800, height: 560 };

/** User and password of the form, as the browser asks for them. */
const formPassword = () => {
	const { user: username, password } = live.entryKeys;
	return { httpCredentials: { username, password, origin: live.urls.n8n }, deviceScaleFactor: 1.5 };
};

pictureTest(
	'from the form to the phone',
	async (page) => {
		await page.setViewportSize(FRAME);
		await page.goto(`${live.urls.n8n}/workflow/${live.workflows['1-form-to-message.json']}`);
		const opened = page.context().waitForEvent('page');
		await byTestId(page, 'execute-workflow-button').first().click();
		const form = await opened;
		await form.setViewportSize(FRAME);
		await form.getByLabel('Your name').fill('Ada');
		await form.getByLabel('Phone number').fill('+44 7700 900123');
		await form.getByLabel('Message').fill('See you on Friday at 7 pm');
		const filled = await stableScreenshot(form);
		await form.getByRole('button', { name: 'Send' }).click();
		await form.getByRole('heading', { name: 'Sent', exact: true }).waitFor();
		await page.bringToFront();
		await page.mouse.move(0, 0);
		const executed = await stableScreenshot(page);
		const phone = await page.context().newPage();
		await phone.setViewportSize(FRAME);
		await phone.goto(`${live.urls.phone}#${CHAT}`);
		await phone.getByTestId('bubble').getByText('See you on Friday').waitFor();
		const received = await stableScreenshot(phone);
		writeFileSync(
			join(__dirname, '../../docs/pictures/form-to-phone.svg'),
			slides([
				['1. Fill in the form', filled],
				['2. n8n runs the workflow', executed],
				['3. The message is on the phone', received],
			]),
		);
	},
	formPassword,
);

const SLIDE_SECONDS = 3;
const CAPTION_HEIGHT = 44;

/** An animation that shows one picture after the other, without end. */
function slides(pictures: Array<[caption: string, png: Buffer]>): string {
	const { width, height } = FRAME;
	const share = 100 / pictures.length;
	const layers = pictures.map(
		([caption, png], index) => `<g style="animation-delay:${index * SLIDE_SECONDS}s">
<text x="${width / 2}" y="29">${caption}</text>
<image y="${CAPTION_HEIGHT}" width="${width}" height="${height}" href="data:image/png;base64,${png.toString('base64')}"/>
</g>`,
	);
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height + CAPTION_HEIGHT}">
<style>
g { opacity: 0; animation: show ${SLIDE_SECONDS * pictures.length}s infinite }
g:first-of-type { opacity: 1 }
text { font: 600 20px sans-serif; text-anchor: middle; fill: #fff }
@keyframes show { 0%, ${share - 4}% { opacity: 1 } ${share}%, 96% { opacity: 0 } 100% { opacity: 1 } }
</style>
<rect width="100%" height="100%" rx="10" fill="#17211e"/>
${layers.join('\n')}
</svg>
`;
}

async function sideBySide(
	page: Page,
	images: Buffer[],
	{ name, frames, width }: { name: string; frames: Array<'node' | 'phone'>; width: number },
): Promise<void> {
	const tags = images.map(
		(png, index) =>
			`<img class="${frames[index]}" src="data:image/png;base64,${png.toString('base64')}">`,
	);
	await page.setViewportSize({ width, height: 870 });
	await page.setContent(`
		<style>
			body { display: flex; gap: 40px; align-items: center; justify-content: center; margin: 0;
				height: 100vh; background: #e0edea }
			img { zoom: ${1 / SCALE}; box-shadow: 0 36px 100px -24px rgb(28 30 60 / 35%) }
			.node { border-radius: 28px }
			.phone { border: 24px solid #17211e; border-radius: 96px }
		</style>
		${tags.join('')}`);
	await stableScreenshot(page, { path: pathOfImage(name) });
}

async function booking(): Promise<string> {
	const send = messagingGateway({
		chatId: '={{ $json.phone }}',
		text: '=Hello {{ $json.name }},\nyour table is booked for {{ $json.when }}.',
	});
	const guest = { name: 'Ada', phone: '+44 7700 900123', when: 'Friday, 7 pm' };
	return await createWorkflow([{ ...manualTrigger, name: 'New booking' }, send], {
		pinData: { 'New booking': [{ json: guest }] },
	});
}

pictureTest('the QR code', async (page) => {
	await sandbox.setStatus('AWAITING_QR');
	await page.setViewportSize({ width: 1560, height: 780 });
	await openGatewayNode(page, { resource: 'session', operation: 'qr', qrOutput: 'png' });
	await execute(page);
	await byTestId(page, 'output-panel').getByText('Binary', { exact: true }).click();
	await byTestId(page, 'ndv-view-binary-data').click();
	await byTestId(page, 'output-panel').locator('img[src*="/binary-data"]').waitFor();
	const clip = await clipAround([
		byTestId(page, 'node-parameters'),
		byTestId(page, 'output-panel'),
	]);
	await stableScreenshot(page, { clip, path: pathOfImage('qr-code') });
});

pictureTest('the trigger', async (page) => {
	await page.setViewportSize({ width: 1560, height: 780 });
	const trigger = messagingGatewayTrigger({ event: 'sessionOffline' });
	await openNode(page, await createWorkflow([trigger]));
	await execute(page);
	await byTestId(page, 'output-panel').getByText('JSON', { exact: true }).click();
	const clip = await clipAround([
		byTestId(page, 'node-parameters'),
		byTestId(page, 'output-panel'),
	]);
	await stableScreenshot(page, { clip, path: pathOfImage('trigger') });
});

pictureTest('a question in the chat, its page, and the canvas while it waits', async (page) => {
	const request = {
		name: 'Grace',
		discount: 10,
		customer: 'Ada & Sons',
		reason: 'First order above 5,000 €',
	};
	const ask = messagingGateway({
		operation: 'sendAndWait',
		chatId: CHAT,
		message:
			'={{ $json.name }} asks for a discount of {{ $json.discount }}% for {{ $json.customer }}.\n\nReason: {{ $json.reason }}',
		approvalOptions: { values: { approvalType: 'double' } },
		options: { responseFormTitle: 'Discount request' },
	});
	const decision = {
		...messagingGateway({ chatId: CHAT, text: '={{ String($json.data.approved) }}' }),
		id: 'decision',
		name: 'Send decision',
	};
	const start = { ...manualTrigger, name: 'New request' };
	const workflow = await createWorkflow([start, { ...ask, name: 'Ask the manager' }, decision], {
		pinData: { 'New request': [{ json: request }] },
	});
	await page.setViewportSize({ width: 1000, height: 600 });
	await page.goto(`${live.urls.n8n}/workflow/${workflow}`);
	await byTestId(page, 'execute-workflow-button').first().click();
	const [chat, answer] = [await page.context().newPage(), await page.context().newPage()];
	for (const phone of [chat, answer]) await phone.setViewportSize({ width: 390, height: 760 });
	await chat.goto(`${live.urls.phone}#${CHAT}`);
	const link = await chat.getByTestId('bubble').getByRole('link').getAttribute('href');
	await waitUntilWaiting(link!);
	const clip = await clipAround(await page.locator('.vue-flow__node').all(), LABEL_MARGIN);
	await stableScreenshot(page, { clip, path: pathOfImage('question-waiting') });
	await answer.goto(link!);
	const both = [await stableScreenshot(chat), await stableScreenshot(answer)];
	await sideBySide(await page.context().newPage(), both, {
		name: 'question',
		frames: ['phone', 'phone'],
		width: 920,
	});
});

pictureTest('the phone', async (page) => {
	await page.setViewportSize({ width: 1300, height: 780 });
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
	await stableScreenshot(page, { path: pathOfImage('phone') });
});

describe('the canvas of', () => {
	for (const [file, id] of Object.entries(live.workflows)) {
		pictureTest(file, async (page) => {
			await page.setViewportSize({ width: 1400, height: 950 });
			await page.goto(`${live.urls.n8n}/workflow/${id}`);
			await byTestId(page, 'canvas-node').first().waitFor();
			await page.waitForLoadState('networkidle');
			await stableScreenshot(page);
			const clip = await clipAround(await page.locator('.vue-flow__node').all(), LABEL_MARGIN);
			const path = pathOfImage(file.replace('.json', ''));
			await stableScreenshot(page, { clip, path, style: HIDE_ON_CANVAS });
		});
	}
});

// Runs after the canvases: next to a published workflow, the editor shows a list of further setup steps.
pictureTest('the pairing page', async (page) => {
	await sandbox.setStatus('DISCONNECTED');
	const url = await publish('3-pair-a-phone', '/webhook/pair-a-phone');
	await page.setExtraHTTPHeaders(BROWSER_HEADERS);
	await page.setViewportSize({ width: 560, height: 560 });
	await page.goto(withPassword(url));
	await page.getByAltText('QR code').waitFor();
	await stableScreenshot(page, { animations: 'allow', path: pathOfImage('pairing-page') });
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

/** The smallest rectangle that contains all elements, plus a margin. */
async function clipAround(elements: Locator[], margin = 0) {
	const boxes = await Promise.all(elements.map(async (element) => (await element.boundingBox())!));
	const left = Math.min(...boxes.map(({ x }) => x)) - margin;
	const top = Math.min(...boxes.map(({ y }) => y)) - margin;
	const right = Math.max(...boxes.map(({ x, width }) => x + width)) + margin;
	const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + margin;
	return { x: left, y: top, width: right - left, height: bottom - top };
}

function pathOfImage(name: string): string {
	return join(__dirname, '../../docs/pictures', `${name}.png`);
}
