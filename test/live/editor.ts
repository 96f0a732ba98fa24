import type { Locator, Page } from 'playwright-core';

import { live } from './live';
import type { Json } from './n8n';
import { createWorkflow, editFields, manualTrigger, messagingGateway } from './createWorkflow';

export function byTestId(page: Page | Locator, name: string): Locator {
	return page.locator(`[data-test-id="${name}"]`);
}

export function field(page: Page, parameter: string): Locator {
	return byTestId(page, `parameter-input-${parameter}`)
		.locator('input:not([readonly]), textarea')
		.first();
}

/** Finds our node in the node panel, and chooses one of its actions, which are collapsed in an empty workflow. */
export async function addAction(page: Page, action: string): Promise<void> {
	await page.goto(`${live.urls.n8n}/workflow/new`);
	await byTestId(page, 'canvas-add-button').waitFor();
	await page.keyboard.press('n');
	await byTestId(page, 'node-creator-search-bar').fill('messaging gateway');
	const names = byTestId(page, 'node-creator-item-name');
	await names.getByText('Messaging Gateway', { exact: true }).first().click();
	await byTestId(page, 'node-creator-category-item').getByText('Actions').click();
	await names.getByText(action).click();
	await byTestId(page, 'ndv').waitFor();
}

/** Creates a workflow with a manual trigger and our node, and opens our node. */
export async function openGatewayNode(page: Page, parameters: Json): Promise<void> {
	await openNode(page, await createWorkflow([manualTrigger, messagingGateway(parameters)]));
}

/** Opens a node in a workflow, by default ours. */
export async function openNode(page: Page, workflow: string, id = 'messaging-gateway') {
	await page.goto(`${live.urls.n8n}/workflow/${workflow}/${id}`);
}

/** Opens the node after Send in a workflow that has not run. Returns its input panel. */
export async function openNextNode(page: Page): Promise<Locator> {
	const send = messagingGateway({ chatId: '447700900123', text: 'Hello' });
	await openNode(page, await createWorkflow([manualTrigger, send, editFields]), editFields.id);
	return byTestId(page, 'ndv-input-panel');
}

/** Executes Get QR Code. Returns the image in the output panel. */
export async function showQrCode(page: Page): Promise<Locator> {
	await openGatewayNode(page, { resource: 'session', operation: 'qr', qrOutput: 'png' });
	await execute(page);
	const output = byTestId(page, 'output-panel');
	await output.getByText('Binary', { exact: true }).click();
	await byTestId(page, 'ndv-view-binary-data').click();
	return output.locator('img[src*="/binary-data"]');
}

export async function execute(page: Page): Promise<void> {
	await byTestId(page, 'node-execute-button').click();
	await byTestId(page, 'output-panel').locator('[data-test-id^="node-run-status-"]').waitFor();
}

/** Opens the dialog of a new credential of the package. */
export async function newCredential(page: Page): Promise<Locator> {
	await page.goto(`${live.urls.n8n}/home/credentials/create`);
	await byTestId(page, 'new-credential-type-select').locator('input').fill('Messaging Gateway');
	await byTestId(page, 'new-credential-type-select-option')
		.getByText('Messaging Gateway API')
		.click();
	await byTestId(page, 'new-credential-type-button').click();
	return byTestId(page, 'editCredential-modal');
}
