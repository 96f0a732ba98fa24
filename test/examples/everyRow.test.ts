/** Example 4 in n8n's own engine: whatever becomes of the rows of a file, the report has each of them once. */
import { useNewGateways } from '../harness/sandboxAccount';
import { useVirtualTime } from '../harness/virtualTime';
import { runExample } from './runExample';
import { Tables } from './tables';

useVirtualTime();
const gateway = useNewGateways();
const PHONES = ['no number', '101', '101', '102', '103', '104', '105', '106'];
const RESULTS = [
	'not sent',
	'sent',
	'skipped',
	'skipped',
	'no phone online',
	'unknown',
	'not sent',
];

test('each row is in the report once, with its result', async () => {
	gateway.faults([
		{ chatId: '447700900103', status: 409, code: 'session_not_online' },
		{ chatId: '447700900104', cut: 'after' },
		{ chatId: '447700900105', status: 422 },
	]);
	const shared = { trigger: 'Manual trigger', account: gateway.account, tables: new Tables() };
	// In another spelling, as the person may have called.
	const Choice = { phone: '0044 7700 900102', action: 'Stop messages' };
	await runExample({ ...shared, file: '16-forget-a-person', values: { Choice } });
	const lines = PHONES.map((phone) => `${phone.replace(/^1/, '+44 7700 9001')},Ada,Monday`);
	const csv = ['phone,name,appointment', ...lines.slice(0, -1), '+44 7700 900106,Ada,'].join('\n');
	const always = { windowFrom: '00:00', windowTo: '00:00' };
	const { outputs, error } = await runExample({
		...{ ...shared, file: '4-bulk-send-from-csv' },
		...{ activate: ['May I write?', 'Count message'], valuesOfCalled: { Settings: always } },
		values: { 'Sample rows': { csv } },
	});
	expect(error).toBeUndefined();
	expect(outputs('Report')[0]!.map((each) => each.row)).toEqual(PHONES.map((_, row) => row + 2));
	expect(outputs('Report')[0]!.map(({ result }) => result)).toEqual([...RESULTS, 'not sent']);
	expect(outputs('Report')[0]![3]!.reason).toBe('This person has opted out');
	expect(gateway.state().delivered.map(({ chatId }) => chatId)).toEqual([
		...['447700900101', '447700900104'],
	]);
});
