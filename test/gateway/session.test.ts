import { readAnswer } from '../../gateway/answer';
import { hopeless, phaseOf, statusWord } from '../../gateway/session';

const answer = (text: string, contentType = 'application/json') =>
	readAnswer(
		{ status: 200, headers: { 'content-type': contentType }, bytes: Buffer.from(text) },
		(data) => data,
	);

test.each([
	['{"status":"ONLINE"}', 'ONLINE'],
	['{"status":"awaiting_qr"}', 'AWAITING_QR'],
	['{"status":"success","data":{"state":"DISCONNECTED"}}', 'DISCONNECTED'],
	['"AUTH_FAILURE"', 'AUTH_FAILURE'],
	['ONLINE', 'ONLINE'],
	['{"session":{"status":"SCAN_QR_CODE"}}', 'SCAN_QR_CODE'],
	['{"success":false,"status":"DISCONNECTED"}', 'DISCONNECTED'],
	['{"status":"napping"}', 'NAPPING'],
])('%s says %s', (text, status) => {
	expect(statusWord(answer(text))).toBe(status);
});

test.each([
	[''],
	['{}'],
	['[]'],
	['{"status":200}'],
	['{"status":"ok"}'],
	['{"success":true}'],
	['{"status":"error","message":"No database"}'],
	['{"status":"fail","data":{"reason":"restarting"}}'],
	['{"status":"UP"}'],
	['{"success":true,"session":"my-session-1"}'],
	['Maintenance'],
	['{"status":""}'],
	['Service is starting, please wait'],
	['{"message":"maintenance"}'],
	['{"sta'],
])('%j holds no status', (text) => {
	expect(statusWord(answer(text))).toBeUndefined();
});

test('a web page holds no status, not even one of a single word', () => {
	expect(statusWord(answer('online', 'text/html'))).toBeUndefined();
	expect(statusWord(answer('<html>ONLINE</html>', 'text/plain'))).toBeUndefined();
});

test.each([
	['ONLINE', 'online'],
	['CONNECTED', 'online'],
	['AWAITING_QR', 'underWay'],
	['SCAN_QR_CODE', 'underWay'],
	['CONNECTING', 'underWay'],
	['STARTING', 'underWay'],
	['DISCONNECTED', 'offline'],
	['AUTH_FAILURE', 'loggedOut'],
	['LOGGED_OUT', 'loggedOut'],
	['BANNED', 'barred'],
	['QR_EXPIRED', 'expired'],
	['DISCONNECTING', 'offline'],
	['WORKING', 'online'],
	['CONFLICT', 'unknown'],
])('%s means %s', (status, phase) => {
	expect(phaseOf(status)).toBe(phase);
});

test('waiting is hopeless where a person has to act on the phone or the account, and only there', () => {
	expect(hopeless('AUTH_FAILURE')).toEqual({
		message: 'The phone has logged the session out (AUTH_FAILURE)',
		description:
			'Waiting does not help. Use Session > Terminate, then Session > Pair, and scan the new QR code with the phone.',
	});
	expect(hopeless('BANNED')?.message).toBe('The account may not be used (BANNED)');
	for (const status of ['ONLINE', 'AWAITING_QR', 'DISCONNECTED', 'CONFLICT']) {
		expect(hopeless(status)).toBeUndefined();
	}
});
