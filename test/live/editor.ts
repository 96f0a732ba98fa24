import type { Locator, Page } from 'playwright-core';

import { live } from './live';

const OURS = 'n8n-nodes-messaging-gateway.messagingGateway';

export function part(page: Page | Locator, name: string): Locator {
	return page.locator(`[data-test-id="${name}"]`);
}

export function field(page: Page, parameter: string): Locator {
	return part(page, `parameter-input-${parameter}`).locator('input, textarea').first();
}

/** A picker's options as people read them, without the lines that explain them. */
export async function optionsOf(page: Page, parameter: string): Promise<string[]> {
	await field(page, parameter).click();
	const options = page.getByRole('option');
	await options.first().waitFor();
	const texts = await options.allInnerTexts();
	await page.keyboard.press('Escape');
	await options.first().waitFor({ state: 'hidden' });
	return texts.map((text) => text.split('\n')[0]!.trim());
}

export async function choose(page: Page, parameter: string, option: string): Promise<void> {
	await field(page, parameter).click();
	// An option's name starts with its label; the line that explains it follows.
	await page
		.getByRole('option', { name: new RegExp(`^${option}`) })
		.first()
		.click();
}

/** What the node panel offers for our node, under the words that people search with. */
export async function openNodePanel(page: Page, words: string): Promise<void> {
	await page.goto(`${live.urls.n8n}/workflow/new`);
	await part(page, 'canvas-add-button').waitFor();
	await page.keyboard.press('n');
	await part(page, 'node-creator-search-bar').fill(words);
	await part(page, 'node-creator-item-name')
		.getByText('Messaging Gateway', { exact: true })
		.first()
		.click();
}

/** A workflow of a manual trigger and our node, with the view of our node open. */
export async function openOurNode(page: Page, parameters: object): Promise<void> {
	const response = await page.request.post(`${live.urls.n8n}/rest/workflows`, {
		data: {
			name: 'Test',
			settings: { executionOrder: 'v1' },
			nodes: [
				{
					id: 'start',
					name: 'Start',
					type: 'n8n-nodes-base.manualTrigger',
					typeVersion: 1,
					position: [0, 0],
					parameters: {},
				},
				{
					id: 'ours',
					name: 'Messaging Gateway',
					type: OURS,
					typeVersion: 1,
					position: [220, 0],
					parameters,
					credentials: { messagingGatewayApi: live.credential },
				},
			],
			connections: { Start: { main: [[{ node: 'Messaging Gateway', type: 'main', index: 0 }]] } },
		},
	});
	expect(response.status()).toBe(200);
	const { data } = (await response.json()) as { data: { id: string } };
	await page.goto(`${live.urls.n8n}/workflow/${data.id}/ours`);
}

export async function execute(page: Page): Promise<void> {
	await part(page, 'node-execute-button').click();
	await part(page, 'output-panel').locator('[data-test-id^="node-run-status-"]').waitFor();
}
