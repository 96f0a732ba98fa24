/** Example 17 as a new user meets it: one file, imported into an empty n8n, from the form to the answer in the summary. */
import { DateTime } from 'luxon';

import { violations } from '../accessibility';
import { browserTest, formPassword, useBrowser } from '../browser';
import { live } from '../live';
import { publishWorkflow, waitFor } from '../n8n';
import { useEmptyN8n } from '../ownN8n';
import { sandbox } from '../sandbox';
import { rowsOf } from './dataTables';
import { idOf, importExample, run, setCredential, setValues, withPassword } from './examples';

const FILE = 'together/17-appointments-with-outbox';
const CHAT = '447700900123';

useBrowser();
useEmptyN8n(() => ({}));

browserTest(
	'an appointment from the form is reminded of, confirmed on the page, and seen in the summary',
	async (page) => {
		await importExample(FILE);
		for (const node of ['Check number', 'Person', 'Send', 'Session status'])
			await setCredential(FILE, node, 'messagingGatewayApi');
		const { user, password } = live.entryKeys;
		for (const node of ['Add an appointment', 'Open the summary'])
			await setCredential(FILE, node, 'httpBasicAuth', { user, password });
		// A reminder six minutes before.
		const own = { timezone: 'UTC', quietFrom: '00:00', quietTo: '00:00' };
		const settings = { ...own, firstHours: 0.1, secondHours: 0, owner: '+44 7700 900200' };
		await setValues(FILE, 'Reminder settings', settings);
		// Creates the tables.
		const first = await run(FILE);
		expect([first.status, first.error]).toEqual(['success', undefined]);
		expect(JSON.stringify(first.outputs('Plan'))).toContain('No reminders are sent: publish');
		await publishWorkflow(idOf(FILE));

		const at = DateTime.utc().plus({ minutes: 7 });
		await page.goto(`${live.urls.n8n}/form/add-appointment`);
		await page.getByLabel('Name').fill('Ada');
		await page.getByLabel('Phone number').fill('07700 900123');
		await page.getByLabel('What for').fill('Haircut');
		await page.getByLabel('Date').fill(at.toISODate());
		await page.getByLabel('Time').fill(at.toFormat('HH:mm'));
		await page.getByRole('button', { name: 'Add' }).click();
		await page.getByText('Not added: The phone number must').waitFor();
		await page.getByRole('link', { name: 'Back to the form' }).click();
		const phone = page.getByLabel('Phone number');
		await phone.waitFor();
		expect(await page.getByLabel('What for').inputValue()).toBe('Haircut');
		await phone.fill('+44 7700 900123');
		await page.getByRole('button', { name: 'Add' }).click();
		await page.getByText('Added: Ada').waitFor();
		expect(await rowsOf('Messaging appointments')).toMatchObject([{ name: 'Ada' }]);

		const message = await waitFor('the reminder', async () =>
			(await sandbox.state()).delivered.find(({ chatId }) => chatId === CHAT),
		);
		expect(message.text).toContain('Hello Ada, your appointment at Example Practice is on');
		const link = /http:\S+/.exec(message.text!)![0];
		const visitor = await page.context().newPage();
		await visitor.goto(link);
		expect(await violations(visitor)).toEqual([]);
		expect((await rowsOf('Messaging appointments'))[0]!.answer).toBeNull();
		await visitor.getByRole('button', { name: 'I’ll come' }).click();
		await visitor.getByText('Thank you. See you then.').waitFor();
		expect(await rowsOf('Messaging appointments')).toMatchObject([{ answer: 'coming' }]);

		await visitor.goto(withPassword(`${live.urls.n8n}/webhook/appointments`));
		await visitor.getByText(/^sent at \d\d:\d\d$/).waitFor();
		expect(await visitor.getByText('comes', { exact: true }).isVisible()).toBe(true);
		expect(await violations(visitor)).toEqual([]);
		await visitor.close();
	},
	formPassword,
);
