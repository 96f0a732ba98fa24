import { violations } from './accessibility';
import { signedOutBrowserTest, useBrowser } from './browser';
import { createWorkflow, manualTrigger, messagingGateway, startWorkflow } from './createWorkflow';
import { statusOf } from './executions';
import { callN8n, type Json } from './n8n';
import { answer, endOf, questionTo } from './questions';
import { useSandbox } from './sandbox';

useBrowser();
useSandbox();

const choices = (...names: string[]) => ({ values: names.map((option) => ({ option })) });
const fields = {
	responseType: 'customForm',
	formFields: {
		values: [
			{ fieldLabel: 'Name', fieldType: 'text', requiredField: true },
			{ fieldLabel: 'Amount', fieldName: 'amount', fieldType: 'number' },
			{ fieldLabel: 'Mail', fieldType: 'email', placeholder: 'ada@example.com' },
			{ fieldLabel: 'Day', fieldType: 'date' },
			{ fieldLabel: 'Size', fieldType: 'dropdown', fieldOptions: choices('S', 'M') },
			{ fieldLabel: 'Extras', fieldType: 'checkbox', fieldOptions: choices('Gift', 'Express') },
			{ fieldLabel: 'Note', fieldType: 'textarea' },
		],
	},
};

const approval = { approvalOptions: { values: { approvalType: 'double' } } };

/** Runs a workflow that asks, until it waits. */
async function ask(parameters: Json) {
	const message = 'May Ada get a discount of 10%?\n\nOrder 1007, "Summer" & <more>';
	const question = { operation: 'sendAndWait', chatId: '+44 7700 900123', message, ...parameters };
	await startWorkflow(await createWorkflow([manualTrigger, messagingGateway(question)]));
	return await questionTo('447700900123');
}

const dataOf = async (id: string) => (await endOf(id)).outputs('Messaging Gateway')[0]![0]!.data;

signedOutBrowserTest(
	'a form in Arabic is corrected after the server rejected it, and passes axe-core each time',
	async (page) => {
		const { id, link } = await ask({ ...fields, options: { pageLanguage: 'ar' } });
		await page.goto(link);
		await page.locator('html[lang="ar"][dir="rtl"]').waitFor();
		expect(await violations(page)).toEqual([]);
		// Without the checks of the browser.
		await page.locator('[required]').evaluateAll((inputs) => {
			for (const input of inputs) input.removeAttribute('required');
		});
		await page.getByLabel('Amount').fill('-12.5');
		await page.getByLabel('Mail').fill('ada@example.com');
		await page.getByLabel('Day').fill('2028-02-29');
		await page.getByLabel('Size').selectOption('M');
		for (const extra of ['Gift', 'Express']) await page.getByLabel(extra).check();
		await page.getByLabel('Note').fill('a\nb');
		await page.getByRole('button').click();
		await page.getByRole('alert').waitFor();
		expect(await statusOf(id)).toBe('waiting');
		expect(await violations(page)).toEqual([]);
		await page.getByLabel('Name').fill('Ada (S)');
		await page.getByRole('button').click();
		await page.getByRole('definition').first().waitFor();
		expect(await violations(page)).toEqual([]);
		expect(await dataOf(id)).toEqual({
			...{ Name: 'Ada (S)', amount: -12.5, Mail: 'ada@example.com', Day: '2028-02-29' },
			...{ Size: 'M', Extras: ['Gift', 'Express'], Note: 'a\nb' },
			respondedAt: expect.any(String),
		});
	},
);

for (const [kind, parameters] of [
	['approval', approval],
	['free text', { responseType: 'freeText' }],
] as const) {
	signedOutBrowserTest(
		`the page of the ${kind} passes axe-core, fits into the screen, and loads nothing else`,
		async (page) => {
			const requested: string[] = [];
			page.on('request', (request) => requested.push(request.url()));
			const { id, link } = await ask(parameters);
			await page.goto(link);
			expect(await violations(page)).toEqual([]);
			await page.setViewportSize({ width: 390, height: 844 });
			expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
			expect(requested).toEqual([link]);
			await callN8n('POST', `/executions/${id}/stop`);
		},
	);
}

signedOutBrowserTest(
	'thirty messages are decided on one page with the keyboard, and leave exactly as shown or edited',
	async (page) => {
		const THIRD = /\b3\/30/;
		const json = (index: number) => ({
			to: `+44 7700 900${100 + index}`,
			text: `Hello ${index}\u202e <b>&amp;</b>\n😀`,
		});
		const items = Array.from({ length: 30 }, (_, index) => ({ json: json(index) }));
		const question = messagingGateway({
			...{ operation: 'sendAndWait', chatId: '+44 7700 900123', message: 'May I send these?' },
			...{ responseType: 'eachItem', allowEdits: true },
			...{ draftRecipient: '={{ $json.to }}', draft: '={{ $json.text }}' },
		});
		const pinData = { [manualTrigger.name]: items };
		await startWorkflow(await createWorkflow([manualTrigger, question], { pinData }));
		const { id, link } = await questionTo('447700900123');
		await page.setViewportSize({ width: 390, height: 844 });
		await page.goto(link);
		expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
		await page.getByRole('checkbox', { name: THIRD }).press('Space');
		// On a checkbox, the Enter key would press a button.
		await page.getByRole('checkbox', { name: THIRD }).press('Enter');
		await page.locator('summary').nth(2).press('Enter');
		const draft = page.getByText('Hello 2 ', { exact: false }).first();
		const line = async () =>
			await draft.evaluate((element) => getComputedStyle(element).textDecorationLine);
		expect(await line()).toBe('none');
		await page.getByRole('textbox', { name: '447700900102' }).fill('x'.repeat(4_097));
		await page.keyboard.press('Tab');
		expect(await line()).toBe('line-through');
		await page.getByRole('button', { name: 'Send' }).press('Enter');
		await page.getByText('Enter at most 4096 characters.').waitFor();
		expect(await violations(page)).toEqual([]);
		await page.getByRole('textbox', { name: '447700900102' }).fill('Mine\n ');
		await page.getByRole('button', { name: 'Tick all' }).press('Enter');
		await page.locator('button:focus').getByText('of 30').waitFor();
		expect(await statusOf(id)).toBe('waiting');
		await page.getByRole('checkbox', { name: /\b30\/30/ }).press('Space');
		await page.getByRole('button', { name: 'Send' }).press('Enter');
		await page.getByText('29 of 30 approved').waitFor();
		const decided = (await endOf(id)).outputs('Messaging Gateway')[0]!;
		expect(decided.map(({ data }) => (data as Json).text)).toEqual(
			items.map(({ json: { text } }, index) =>
				index === 2 ? 'Mine\n ' : index === 29 ? undefined : text.replace('\u202e', ''),
			),
		);
	},
);

test('bodies that no page sends decide nothing', async () => {
	const { id, link } = await ask(approval);
	for (const [body, type] of [
		['', 'multipart/form-data; boundary=x'],
		['__proto__[approved]=true', 'application/x-www-form-urlencoded'],
		['{"approved":{"toString":"true"}}', 'application/json'],
		['{', 'application/json'],
		['<approved><b>true</b></approved>', 'application/xml'],
		['approved=true', 'application/octet-stream'],
	] as const) {
		const headers = { 'content-type': type };
		const response = await fetch(link, { method: 'POST', body, headers });
		expect(await response.text()).not.toContain('Thank you');
		expect([type, response.status >= 400]).toEqual([type, true]);
	}
	expect(await statusOf(id)).toBe('waiting');
	expect((await answer(link, 'true')).status).toBe(200);
	expect(await dataOf(id)).toEqual({ approved: true, respondedAt: expect.any(String) });
});
