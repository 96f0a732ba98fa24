import type { Page } from 'playwright-core';

import { post, textTo } from '../harness/client';
import { violations } from './accessibility';
import { screenshot, signedOutBrowserTest as phoneTest, useBrowser } from './browser';
import { createWorkflow, manualTrigger, messagingGateway, startWorkflow } from './createWorkflow';
import { live } from './live';
import { endOf, executionOf, waitUntilWaiting } from './questions';
import { sandbox } from './sandbox';

const ADA = '447700900123';

useBrowser();
beforeEach(async () => {
	await sandbox.reset();
	await sandbox.setStatus('ONLINE');
});

/** Runs a workflow that asks Ada, and tells her the decision. */
async function ask(): Promise<string> {
	const question = messagingGateway({
		operation: 'sendAndWait',
		chatId: ADA,
		message: 'May we give *10%*?',
		approvalOptions: { values: { approvalType: 'double' } },
	});
	const decision = {
		...messagingGateway({ chatId: ADA, text: '=Approved: {{ $json.data.approved }}' }),
		id: 'decision',
		name: 'Decision',
	};
	return await startWorkflow(
		await createWorkflow([manualTrigger, { ...question, name: 'Ask' }, decision]),
	);
}

async function openAsRecipient(page: Page): Promise<void> {
	await page.goto(`${live.urls.phone}#${ADA}`);
	await page.getByTestId('as-recipient').click();
	await page.getByText('As +44 7700900123 sees it').waitFor();
}

phoneTest('a question is a card, with which its recipient decides', async (page) => {
	const id = await ask();
	await openAsRecipient(page);
	const card = page.getByTestId('bubble').first();
	const open = card.getByRole('link', { name: 'Open the question' });
	await open.waitFor();
	// Instead of the link there is a button.
	expect(await card.locator('.text').innerText()).toMatch(/^May we give 10%\?\s+Answer here:$/);
	await screenshot(page, 'recipient-card');
	const link = (await open.getAttribute('href'))!;
	expect(executionOf(link)).toBe(id);
	await waitUntilWaiting(link);

	const opened = page.context().waitForEvent('page');
	await open.click();
	const question = await opened;
	await question.getByRole('button', { name: 'Approve' }).click();
	await question.getByRole('heading', { name: 'Thank you' }).waitFor();
	await page.getByTestId('bubble').getByText('Approved: true').waitFor();
	expect((await endOf(id)).outputs('Ask')[0]![0]).toMatchObject({ data: { approved: true } });
});

phoneTest('a recipient sees received messages, and none that is deferred', async (page) => {
	await post(live.account, 'sendMessage', textTo(ADA, 'First'));
	await sandbox.setStatus('DISCONNECTED');
	await post(live.account, 'sendMessage', { ...textTo(ADA, 'Later'), windowMs: 600_000 });
	await page.goto(`${live.urls.phone}#${ADA}`);
	const bubbles = page.getByTestId('bubble');
	await bubbles.nth(1).waitFor();
	const left = async () => (await bubbles.first().boundingBox())!.x;
	const sent = await left();
	expect(await bubbles.first().getByText('sent').count()).toBe(1);

	const toggle = page.getByTestId('as-recipient');
	await toggle.click();
	await bubbles.nth(1).waitFor({ state: 'detached' });
	expect(await bubbles.allInnerTexts()).toEqual([expect.stringMatching(/^First\s+\d/)]);
	expect(await left()).toBeLessThan(sent);
	expect(await page.locator('#chat-title').innerText()).toBe('Your number');
	await sandbox.setStatus('ONLINE');
	await bubbles.getByText('Later').waitFor();

	await toggle.click();
	expect(await toggle.getAttribute('aria-pressed')).toBe('false');
	expect(await left()).toBe(sent);
	expect(await page.locator('#chat-title').innerText()).toBe('+44 7700900123');
});

describe('on a narrow screen', () => {
	for (const colorScheme of ['light', 'dark'] as const) {
		phoneTest(
			`axe-core finds nothing in a question, ${colorScheme}`,
			async (page) => {
				await page.setViewportSize({ width: 390, height: 760 });
				await ask();
				await openAsRecipient(page);
				await page.getByTestId('open-question').waitFor();
				await screenshot(page, `recipient-${colorScheme}`);
				const width = await page.evaluate(() => document.documentElement.scrollWidth);
				expect(width).toBe(390);
				expect(await violations(page)).toEqual([]);
			},
			() => ({ colorScheme }),
		);
	}
});
