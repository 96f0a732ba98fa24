// Not a test, but the same run: the pictures of the READMEs, by `npm run pictures`.
import { join } from 'node:path';

import type { Locator, Page, PageScreenshotOptions } from 'playwright-core';

import { post, textTo } from '../sandbox/client';
import { inBrowser, PERSON, useBrowser } from './browser';
import { execute, openOurNode, openView, part } from './editor';
import { live } from './live';
import { until } from './n8n';
import { messagingGateway, messagingGatewayTrigger, newWorkflow, startByHand } from './newWorkflow';
import { sandbox } from './sandbox';
import { giveCredential, publish, run } from './workflows/examples';

const CHAT = '447700900123';

/** So far the labels of a node reach out of it. */
const LABELS = 76;

/** Messages that pass, what is there for the mouse only, shadow, and dots that are nothing but bytes. */
const UNSEEN = `
	.el-notification, .vue-flow__panel, [class*="nodeButtonsWrapper"],
	[data-test-id="ndv-backdrop"], [data-test-id="floating-nodes"],
	[data-test-id="canvas-handle-plus-wrapper"], [data-test-id="canvas-background"],
	[data-reka-popper-content-wrapper], [data-test-id="ndv-edit-pinned-data"], [data-test-id="ndv-pin-data"] { display: none !important }`;

useBrowser();
beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});

inBrowser('the node beside the phone', async (page) => {
	const phone = await page.context().newPage();
	await phone.setViewportSize({ width: 390, height: 760 });
	await phone.goto(`${live.urls.phone}#${CHAT}`);
	await run('5-picture-and-invoice');

	await page.setViewportSize({ width: 1240, height: 820 });
	await openView(page, await booking());
	await execute(page);
	await part(page, 'output-panel').getByText('JSON', { exact: true }).click();
	await phone.getByTestId('bubble').getByText('your table is booked').waitFor();

	// The page behind it shines through its border.
	const clip = await around([part(page, 'ndv')], -2);
	const both = [await atRest(page, { clip }), await atRest(phone)];
	await sideBySide(await page.context().newPage(), both);
});

async function sideBySide(page: Page, pictures: Buffer[]): Promise<void> {
	const [node, phone] = pictures.map((png) => `data:image/png;base64,${png.toString('base64')}`);
	await page.setViewportSize({ width: 1700, height: 870 });
	await page.setContent(`
		<style>
			body { display: flex; gap: 40px; align-items: center; justify-content: center; margin: 0;
				height: 100vh; background: #e4e4f3 }
			img { box-shadow: 0 18px 50px -12px rgb(28 30 60 / 35%) }
			.node { border-radius: 14px }
			.phone { border: 12px solid #1b1d2a; border-radius: 48px }
		</style>
		<img class="node" src="${node}"><img class="phone" src="${phone}">`);
	await atRest(page, { path: inFolder('node-and-phone') });
}

async function booking(): Promise<string> {
	const send = messagingGateway({
		chatId: '={{ $json.phone }}',
		text: '=Hello {{ $json.name }},\nyour table is booked for {{ $json.when }}.',
	});
	const guest = { name: 'Ada', phone: '+44 7700 900123', when: 'Friday, 7 pm' };
	return await newWorkflow([{ ...startByHand, name: 'New booking' }, send], {
		pinData: { 'New booking': [{ json: guest }] },
	});
}

inBrowser('the QR code', async (page) => {
	await sandbox.setStatus('AWAITING_QR');
	await page.setViewportSize({ width: 1560, height: 780 });
	await openOurNode(page, { resource: 'session', operation: 'qr', qrOutput: 'png' });
	await execute(page);
	await part(page, 'output-panel').getByText('Binary', { exact: true }).click();
	await part(page, 'ndv-view-binary-data').click();
	await part(page, 'output-panel').locator('img[src*="/binary-data"]').waitFor();
	const clip = await around([part(page, 'node-parameters'), part(page, 'output-panel')]);
	await atRest(page, { clip, path: inFolder('qr-code') });
});

inBrowser('the trigger', async (page) => {
	await page.setViewportSize({ width: 1560, height: 780 });
	const trigger = messagingGatewayTrigger({ event: 'offlineFor' });
	await openView(page, await newWorkflow([trigger]));
	await execute(page);
	await part(page, 'output-panel').getByText('JSON', { exact: true }).click();
	const clip = await around([part(page, 'node-parameters'), part(page, 'output-panel')]);
	await atRest(page, { clip, path: inFolder('trigger') });
});

inBrowser('the phone', async (page) => {
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
	await run('5-picture-and-invoice');
	await page.getByTestId(`chat-${CHAT}`).click();
	await page.mouse.move(0, 0);
	await atRest(page, { path: inFolder('phone') });
});

describe('the canvas of', () => {
	beforeAll(async () => {
		// Else the two nodes would be marked red, as they are until somebody has followed the note beside them.
		await giveCredential('2-crm-webhook-to-message', 'Expected signature', 'crypto', {
			hmacSecret: 'placeholder',
		});
		await giveCredential('7a-ai-agent', 'Model', 'openAiApi', { apiKey: 'placeholder' });
	});

	for (const [file, id] of Object.entries(live.workflows)) {
		inBrowser(file, async (page) => {
			await page.setViewportSize({ width: 1400, height: 950 });
			await page.goto(`${live.urls.n8n}/workflow/${id}`);
			await part(page, 'canvas-node').first().waitFor();
			await page.waitForLoadState('networkidle');
			await atRest(page);
			const clip = await around(await page.locator('.vue-flow__node').all(), LABELS);
			await atRest(page, { clip, path: inFolder(file.replace('.json', '')) });
		});
	}
});

// After the canvases: beside a published workflow the editor opens a list of what else could be set up.
inBrowser('the pairing page', async (page) => {
	await sandbox.setStatus('DISCONNECTED');
	const url = await publish('3-pair-a-phone', '/webhook/pair-a-phone');
	await page.setExtraHTTPHeaders(PERSON);
	await page.setViewportSize({ width: 560, height: 560 });
	await page.goto(url);
	await page.getByAltText('QR code').waitFor();
	await atRest(page, { animations: 'allow', path: inFolder('pairing-page') });
});

/** A view that has come to rest. */
async function atRest(page: Page, options: PageScreenshotOptions = {}): Promise<Buffer> {
	let before: Buffer | undefined;
	return await until('a view at rest', async () => {
		const now = await page.screenshot({ animations: 'disabled', style: UNSEEN, ...options });
		const rests = before?.equals(now);
		before = now;
		return rests ? now : undefined;
	});
}

async function around(parts: Locator[], margin = 0) {
	const boxes = await Promise.all(parts.map(async (one) => (await one.boundingBox())!));
	const left = Math.min(...boxes.map(({ x }) => x)) - margin;
	const top = Math.min(...boxes.map(({ y }) => y)) - margin;
	const right = Math.max(...boxes.map(({ x, width }) => x + width)) + margin;
	const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + margin;
	return { x: left, y: top, width: right - left, height: bottom - top };
}

function inFolder(name: string): string {
	return join(__dirname, '../../docs/pictures', `${name}.png`);
}
