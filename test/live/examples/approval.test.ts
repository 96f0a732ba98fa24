import { formPassword, signedOutBrowserTest, useBrowser } from '../browser';
import { live } from '../live';
import { answer, endOf, linkIn, messageTo, questionTo } from '../questions';
import { sandbox, useSandbox } from '../sandbox';
import { finalPage, publish, setFields, start, submitForm } from './examples';

const MANAGER = '447700900200';
const DIRECTOR = '447700900300';
const EMPLOYEE = '447700900123';
const COLLEAGUE = '447700900400';
const CUSTOMER = '447700900123';

useBrowser();
useSandbox();

/** The text of the page after the answer. */
const answered = async (link: string, approved: string) =>
	await (await answer(link, approved)).text();

describe('10. Ask for an approval in a chat', () => {
	const FILE = '10-approval';

	let form: string;
	beforeAll(async () => {
		form = await publish(FILE, '/form/discount-request');
	});

	/** Submits the form, and opens its last page as a browser does. */
	async function request(): Promise<void> {
		const values = ['Grace', '+44 7700 900123', 'Ada & Sons', '10', 'A large order'];
		const formWaitingUrl = await submitForm(form, values);
		expect(await finalPage(formWaitingUrl)).toContain('<h1>Request received</h1>');
		// The page itself sends this, and the execution continues.
		await fetch(formWaitingUrl, { method: 'POST' });
	}

	signedOutBrowserTest(
		'an employee requests in the form, and the manager approves on a phone',
		async (page) => {
			await page.goto(form);
			await page.getByLabel('Your name').fill('Grace');
			await page.getByLabel('Your phone number').fill('+44 7700 900123');
			await page.getByLabel('Customer').fill('Ada & Sons');
			await page.getByLabel('Discount in percent').fill('10');
			await page.getByLabel('Reason').fill('A large order');
			await page.getByRole('button', { name: 'Request' }).click();
			await page.getByRole('heading', { name: 'Request received' }).waitFor();
			await questionTo(MANAGER);
			await page.setViewportSize({ width: 390, height: 844 });
			await page.goto(`${live.urls.phone}#${MANAGER}`);
			const [opened] = await Promise.all([
				page.context().waitForEvent('page'),
				page.getByTestId('bubble').getByRole('link').click(),
			]);
			await opened.getByText('May we give a discount of 10%?').waitFor();
			await opened.getByText('Requested by Grace for Ada & Sons: A large order').waitFor();
			await opened.getByRole('button', { name: 'Approve' }).click();
			await opened.getByRole('heading', { name: 'Thank you' }).waitFor();
			expect(await messageTo(EMPLOYEE)).toBe('The discount of 10% for Ada & Sons was approved.');
		},
		formPassword,
	);

	test('tells the manager that the decision was not sent', async () => {
		await request();
		const { link } = await questionTo(MANAGER);
		const fault = { status: 401, code: 'invalid_token' };
		await sandbox.faults([{ endpoint: 'sendMessage', chatId: EMPLOYEE, ...fault }]);
		expect(await answered(link, 'true')).toContain('Thank you');
		expect(await messageTo(MANAGER, 1)).toMatch(
			/^The decision about the discount of 10% was not sent: .+\n\nRequested by Grace for Ada & Sons: A large order$/s,
		);
	});

	// n8n looks for executions whose time is over once a minute.
	test('without an answer, the manager is reminded once, and then the director is asked', async () => {
		for (const node of ['Ask the manager', 'Remind the manager']) {
			await setFields(FILE, node, { options: { limitWaitTime: 0.05 } });
		}
		form = await publish(FILE, '/form/discount-request');
		await request();
		const first = await messageTo(MANAGER);
		const reminder = await messageTo(MANAGER, 1);
		expect(reminder).toMatch(/^Reminder: may we give a discount of 10%/);
		const { text, link } = await questionTo(DIRECTOR);
		expect(text).toContain('The manager has not answered.');
		for (const earlier of [first, reminder]) {
			expect(await answered(linkIn(earlier), 'true')).not.toContain('Thank you');
		}
		expect(await answered(link, 'false')).toContain('Thank you');
		expect(await messageTo(EMPLOYEE)).toBe('The discount of 10% for Ada & Sons was declined.');
		expect((await sandbox.state()).delivered).toHaveLength(4);
	}, 360_000);
});

signedOutBrowserTest(
	'7c. Approve AI replies in a chat before they are sent runs as imported, with the scripted model of the sandbox',
	async (page) => {
		const id = await start('7c-agent-with-approval');
		const { text, link } = await questionTo(COLLEAGUE);
		expect(text).toContain('without links:\n1/3 Ada: My order 1007 arrived broken.');
		await page.goto(link);
		await page.getByRole('checkbox', { name: /^1/ }).check();
		await page.getByRole('checkbox', { name: /^3/ }).check();
		await page.locator('summary').last().click();
		await page.getByRole('textbox', { name: '447700900125' }).fill('Hello Alan, it is cancelled.');
		await page.getByRole('button', { name: 'Send' }).click();
		await page.getByRole('heading', { name: 'Thank you' }).waitFor();
		expect((await endOf(id)).outputs('Send replies')[0]).toHaveLength(2);
		expect(await messageTo(CUSTOMER)).toMatch(/^Hello Ada, thank you for your message\./);
		expect(await messageTo('447700900125')).toBe('Hello Alan, it is cancelled.');
	},
);
