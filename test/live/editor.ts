import type { Locator, Page } from 'playwright-core';

import { live } from './live';
import type { Json } from './n8n';
import { messagingGateway, newWorkflow, startByHand } from './newWorkflow';

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

/** Opens the list of actions, which an empty workflow hides behind the triggers, and chooses one. */
export async function chooseAction(page: Page, action: string): Promise<void> {
	await part(page, 'node-creator-category-item').getByText('Actions').click();
	await part(page, 'node-creator-item-name').getByText(action).click();
	await part(page, 'ndv').waitFor();
}

/** A workflow of a manual trigger and our node, with the view of our node open. */
export async function openOurNode(page: Page, parameters: Json): Promise<void> {
	await openView(page, await newWorkflow([startByHand, messagingGateway(parameters)]));
}

/** The view of our node in a workflow. */
export async function openView(page: Page, workflow: string): Promise<void> {
	await page.goto(`${live.urls.n8n}/workflow/${workflow}/ours`);
}

export async function execute(page: Page): Promise<void> {
	await part(page, 'node-execute-button').click();
	await part(page, 'output-panel').locator('[data-test-id^="node-run-status-"]').waitFor();
}
