import fc from 'fast-check';

import { readResponse } from '../../../gateway/wire/response';
import { permanentStatusText } from '../../../gateway/errors/sessionTexts';
import {
	isOffline,
	phaseInError,
	phaseOf,
	rejectionHasStatus,
	sessionStatus,
	statusWord,
	phaseOfSession,
} from '../../../gateway/replies/sessionStatus';
import { anyJson, gatewayLike, response } from '../../harness/responses';

const answer = (text: string, contentType = 'application/json') =>
	readResponse(
		{ status: 200, headers: { 'content-type': contentType }, bytes: Buffer.from(text) },
		(data) => data,
	);

test.each([
	['{"status":"awaiting_qr"}', 'AWAITING_QR'],
	['{"status":"success","data":{"state":"DISCONNECTED"}}', 'DISCONNECTED'],
	['"AUTH_FAILURE"', 'AUTH_FAILURE'],
	['{"session":{"status":"SCAN_QR_CODE"}}', 'SCAN_QR_CODE'],
	['{"name":"default","status":"FAILED"}', 'FAILED'],
	['{"success":false,"state":null,"message":"browser tab closed"}', 'BROWSER_TAB_CLOSED'],
	['{"success":false,"status":"DISCONNECTED"}', 'DISCONNECTED'],
	['{"state":"CONNECTED","data":{"status":"ok"}}', 'CONNECTED'],
	['{"status":"napping","session":"qr-shop","data":"Scan the QR code"}', 'NAPPING'],
	['{"status":"up","data":{"state":"open","session":"main"}}', 'OPEN'],
])('%s is read as %s', (text, status) => {
	expect(statusWord(answer(text))).toBe(status);
});

test.each([
	['{"success":false,"status":"ONLINE"}', undefined],
	['{"ok":0,"data":{"state":"CONNECTED"}}', undefined],
	['{"error":"database is locked","status":"ONLINE"}', undefined],
	['{"error":null,"success":true,"status":"ONLINE"}', 'ONLINE'],
	['{"status":"ONLINE","connected":"false"}', 'NOT_CONNECTED'],
	['{"status":"ONLINE","isReady":false}', 'NOT_READY'],
	['{"isReady":true}', 'READY'],
])('%s says "online" only if nothing denies it: %s', (text, status) => {
	expect(statusWord(answer(text))).toBe(status);
	expect(rejectionHasStatus(response(text, {}, 500))).toBe(/^NOT/.test(status ?? ''));
});

test.each([
	['{"status":1}', ['1'], '1'],
	['{"status":0}', ['1'], '0'],
	['{"data":{"state":"2"}}', ['1', 'CONNECTED'], '2'],
	['{"success":true,"status":true}', ['TRUE'], 'TRUE'],
	['{"status":"Ready to go"}', ['READY TO GO'], 'READY TO GO'],
	['{"status":"not ready"}', ['READY TO GO'], 'NOT READY'],
	['ready to go', ['READY TO GO'], 'READY TO GO'],
	['{"status":"UP"}', ['UP'], 'UP'],
	['{"status":1,"data":{"status":"DISCONNECTED"}}', ['1'], 'DISCONNECTED'],
	['{"status":200}', ['CONNECTED'], undefined],
	['{"status":true}', ['READY TO GO'], undefined],
	['{"status":"Please wait"}', ['1'], undefined],
])('%s with the entered statuses %j is read as %s', (text, entered, status) => {
	expect(statusWord(answer(text), entered)).toBe(status);
});

test.each([
	[''],
	['[]'],
	['{"status":200}'],
	['{"status":"ok"}'],
	['{"status":"error","message":"No database"}'],
	['{"status":"fail","data":{"reason":"restarting"}}'],
	['{"success":true,"session":"my-session-1"}'],
	['Maintenance'],
	['{"status":""}'],
	['{"message":"maintenance"}'],
	['{"sta'],
])('%j contains no status', (text) => {
	expect(statusWord(answer(text))).toBeUndefined();
});

test('a web page contains no status, but a word that the framework sends as HTML is one', () => {
	expect(statusWord(answer('online', 'text/html'))).toBe('ONLINE');
	expect(statusWord(answer('<p>online</p>', 'text/html'))).toBeUndefined();
	expect(statusWord(answer('<html>ONLINE</html>', 'text/plain'))).toBeUndefined();
});

test.each([
	['ONLINE', 'online'],
	['CONNECTED', 'online'],
	['AWAITING_QR', 'pairing'],
	['SCAN_QR_CODE', 'pairing'],
	['CONNECTING', 'pairing'],
	['STARTING', 'pairing'],
	['DISCONNECTED', 'offline'],
	['AUTH_FAILURE', 'loggedOut'],
	['LOGGED_OUT', 'loggedOut'],
	['BANNED', 'banned'],
	['QR_EXPIRED', 'expired'],
	['DISCONNECTING', 'offline'],
	['WORKING', 'online'],
	['CONFLICT', 'unknown'],
	['CLOSE', 'offline'],
	['UNPAIRED', 'offline'],
	['FAILED', 'offline'],
	['NOT_FOUND', 'unknown'],
	['SESSION_NOT_FOUND', 'offline'],
	['SESSION_NOT_CONNECTED', 'offline'],
	['SESSION_CONNECTED', 'online'],
	// Each word that means online has an opposite that does not.
	...[
		'online',
		'connected',
		'ready',
		'authorized',
		'active',
		'running',
		'logged_in',
		'loggedIn',
	].flatMap((word) => [
		[word, 'online'],
		[`not_${word}`, 'offline'],
	]),
])('%s means %s', (status, phase) => {
	expect(phaseOf(status)).toBe(phase);
});

/** What gateways say instead of a status, and what they say about something else. */
const OFFLINE_ERRORS: Array<[status: number, body: object, word: string]> = [
	// avoylenko/wwebjs-api, src/sessions.js: validateSession
	[200, { success: false, state: null, message: 'session_not_found' }, 'SESSION_NOT_FOUND'],
	[200, { success: false, state: null, message: 'session_not_connected' }, 'SESSION_NOT_CONNECTED'],
	[404, { success: false, error: 'session_not_found' }, 'SESSION_NOT_FOUND'],
	// devlikeapro/waha: SessionMustBeInStatusException
	[
		422,
		{
			error: 'Session status is not as expected. Try again later or restart the session',
			session: 'default',
			status: 'SCAN_QR_CODE',
			expected: ['WORKING'],
		},
		'SCAN_QR_CODE',
	],
	[404, { message: 'Session "default" does not exist', statusCode: 404 }, 'SESSION_NOT_FOUND'],
	// EvolutionAPI/evolution-api, with Baileys' Boom
	[
		400,
		{ status: 400, error: 'Bad Request', response: { message: ['Error: Connection Closed'] } },
		'CONNECTION_CLOSED',
	],
	[
		422,
		{ error: 'Session status is not as expected', status: 'FAILED', expected: ['WORKING'] },
		'FAILED',
	],
	[409, { message: "Session isn't connected" }, 'SESSION_IS_NOT_CONNECTED'],
	// devlikeapro/waha: SessionManager.getSession
	[
		404,
		{ message: "We didn't find a session with name 'default'.\nPlease start it first." },
		'WE_DID_NOT_FIND_A_SESSION_WITH_NAME',
	],
	// asternic/wuzapi: handlers.go
	[500, { code: 500, error: 'No session', success: false }, 'NO_SESSION'],
	[503, { status: 'DISCONNECTED' }, 'DISCONNECTED'],
	[412, { status: 'DISCONNECTED' }, 'DISCONNECTED'],
	[409, { error: 'session_offline' }, 'SESSION_OFFLINE'],
	[422, { error: 'client_not_connected' }, 'CLIENT_NOT_CONNECTED'],
	[
		400,
		{ error: { message: 'WhatsApp is not connected. Scan the QR code.' } },
		'WHATSAPP_IS_NOT_CONNECTED',
	],
	[400, { error: 'AUTH_FAILURE' }, 'AUTH_FAILURE'],
	[409, { message: 'The phone is offline' }, 'THE_PHONE_IS_OFFLINE'],
	[425, { error: 'conflict', message: 'Session is not ready' }, 'SESSION_IS_NOT_READY'],
];

describe('an error that says that the session is not online', () => {
	test.each(OFFLINE_ERRORS)('%i %j is a status, and the cause', (status, body, word) => {
		const rejected = response(JSON.stringify(body), {}, status);
		expect(statusWord(rejected)).toBe(word);
		expect(rejectionHasStatus(rejected)).toBe(true);
		expect(isOffline(rejected)).toBe(true);
	});

	test.each([
		[404, { statusCode: 404, error: 'Not Found', message: 'Cannot GET /status' }],
		[409, { error: 'payg_confirm_required' }],
		[401, { error: 'not_authenticated' }],
		[400, { error: "The recipient's phone is offline" }],
		[400, { error: 'phone_not_found' }],
		[400, { message: 'Phone number is not registered' }],
		[422, { error: 'media_scan_failed' }],
		[200, { success: false, status: 'blocked' }],
		[200, { success: false, status: 'expired' }],
		[400, { message: 'Connection error while loading media' }],
		[200, { success: false, state: 'CONNECTED' }],
		[200, { status: 'failed' }],
		[400, { status: 'FAILED', error: 'Number not on WhatsApp' }],
		[422, { error: 'not_on_whatsapp', connected: false }],
		[400, { message: 'Invalid number', data: { online: false } }],
	])('is not found in %i %j', (status, body) => {
		expect(isOffline(response(JSON.stringify(body), {}, status))).toBe(false);
	});

	test.each([
		['alreadyConnected', 'online'],
		['browser tab closed', 'offline'],
		['session_connected', 'online'],
		['open', 'unknown'],
		['', 'unknown'],
	])('%j means %s', (text, phase) => {
		expect(phaseInError(text)).toBe(phase);
	});
});

test('waiting is hopeless only if the user must act on the phone or the account', () => {
	expect(permanentStatusText('AUTH_FAILURE')).toEqual({
		cause: 'logged_out',
		message: 'The phone has logged the session out (AUTH_FAILURE)',
		description:
			'Waiting does not help. Use Session > Terminate, then Session > Pair, and scan the new QR code with the phone.',
	});
	expect(permanentStatusText('BANNED')?.message).toBe('The account is blocked (BANNED)');
	for (const status of ['ONLINE', 'AWAITING_QR', 'DISCONNECTED', 'CONFLICT']) {
		expect(permanentStatusText(status)).toBeUndefined();
	}
});

describe('the status of a session', () => {
	test.each<[unknown, string]>([
		[{ session_status: 'ONLINE' }, 'ONLINE'],
		[{ session: 'ONLINE' }, 'ONLINE'],
		[{ data: 'ONLINE' }, 'ONLINE'],
		[{ session: { status: 'ONLINE' } }, 'ONLINE'],
		[{ status: 200, data: { status: 'DISCONNECTED' } }, 'DISCONNECTED'],
		[{ status: 'ONLINE', data: null }, 'ONLINE'],
		[{ instance: { instanceName: 'a', state: 'open' } }, 'open'],
		[{ stateInstance: 'authorized' }, 'authorized'],
		[{ code: 200, data: { connected: true, loggedIn: true } }, 'connected'],
		[{ code: 200, data: { Connected: true, LoggedIn: false } }, 'not_loggedin'],
		[{ status: ' ONLINE ' }, 'ONLINE'],
		['AUTH_FAILURE', 'AUTH_FAILURE'],
	])('is read from %j as %s', (data, status) => {
		expect(sessionStatus(data)?.status).toBe(status);
	});

	test('is returned with its sibling fields', () => {
		expect(sessionStatus({ data: { state: 'ONLINE', phone: '49', since: 5 } })).toEqual({
			status: 'ONLINE',
			state: 'ONLINE',
			phone: '49',
			since: 5,
		});
		expect(sessionStatus('ONLINE')).toEqual({ status: 'ONLINE' });
	});

	test.each<[unknown]>([[[]], [5], [{ status: 5 }], [{ status: '' }]])(
		'is undefined for %j',
		(data) => {
			expect(sessionStatus(data)).toBeUndefined();
		},
	);

	test('is not read from prototypes', () => {
		expect(sessionStatus(JSON.parse('{"__proto__":{"status":"ONLINE"}}'))).toBeUndefined();
	});

	test.each<[unknown, string]>([
		[{ status: 'ONLINE', data: { status: 'fetched' } }, 'ONLINE'],
		[{ state: 'done', result: { status: 'AUTH_FAILURE', state: 'x' } }, 'AUTH_FAILURE'],
		[{ status: 'ok', data: { status: 'ok', session: { state: 'AWAITING_QR' } } }, 'AWAITING_QR'],
	])('is the documented word, or else the innermost: %j is read as %s', (data, status) => {
		expect(sessionStatus(data)?.status).toBe(status);
	});

	test.each<[unknown, string]>([
		[{ status: 'online', session: { status: 'disconnected' } }, 'disconnected'],
		[{ status: 'disconnected', session: { status: 'online' } }, 'disconnected'],
		[{ state: 'online', session: { state: 'close' } }, 'close'],
		[{ status: 'ready', success: false, message: 'Session is not connected' }, 'offline'],
		[{ status: 'READY', error: 'session_not_connected' }, 'offline'],
		[{ state: 'connected', error: 'auth_failure' }, 'loggedOut'],
		[{ status: 'online', connected: false }, 'not_connected'],
	])('is never online if a part says otherwise: %j is %s', (data, status) => {
		const word = String(sessionStatus(data)?.status);
		expect([word, phaseOf(word)]).toContain(status);
		expect(phaseOf(word)).not.toBe('online');
	});

	test('is returned with the siblings of the documented word', () => {
		expect(sessionStatus({ status: 'ok', data: { session: 'ONLINE', phone: '49' } })).toEqual({
			status: 'ONLINE',
			session: 'ONLINE',
			phone: '49',
		});
		expect(sessionStatus({ status: 'ONLINE', data: { status: 'x' } })).toEqual({
			status: 'ONLINE',
			data: { status: 'x' },
		});
	});

	test('is found in an object named status', () => {
		expect(sessionStatus({ status: { state: 'ONLINE' } })?.status).toBe('ONLINE');
	});

	test.each<[unknown]>([
		[{ status: 'success', data: 'ONLINE' }],
		[{ status: 'ok', session: 'ONLINE' }],
		[{ status: 'success', state: 'ONLINE' }],
	])('is found after a word for success: %j', (data) => {
		expect(sessionStatus(data)?.status).toBe('ONLINE');
	});

	test('is text or undefined, for any data', () => {
		fc.assert(
			fc.property(fc.oneof(anyJson(), gatewayLike()), (data) => {
				const found = sessionStatus(data);
				if (found !== undefined) expect(found.status).toMatch(/\S/);
			}),
			{ numRuns: 300 },
		);
	});
});

test.each<[object, string]>([
	[{ connected: true, error: 'You are already connected', smartphoneConnected: true }, 'online'],
	[{ status: 'ONLINE', phoneConnected: true }, 'online'],
	[{ status: 'DISCONNECTED', phoneConnected: true }, 'offline'],
	[{ connected: true, smartphoneConnected: false }, 'offline'],
	[{ connected: false, error: 'You are not connected.', smartphoneConnected: true }, 'offline'],
	[{ status: 'running', whatsapp: 'disconnected' }, 'offline'],
	[{ status: 'online', whatsapp: { connected: false } }, 'offline'],
	[{ status: 'active', connection: 'close' }, 'offline'],
	[{ status: 'ONLINE', connectionStatus: 'DISCONNECTED' }, 'offline'],
	[{ status: 'ONLINE', client: { state: 'DISCONNECTED' } }, 'offline'],
	[{ status: 'ONLINE', error: { message: 'Session expired' } }, 'unknown'],
	[{ status: { accountStatus: { status: 'authenticated', substatus: 'connected' } } }, 'online'],
	[{ clientStatus: { status: 'success', instanceStatus: 'ready' }, status: 'success' }, 'online'],
	[{ status: { code: 4, text: 'ready' }, uptime: 2 }, 'online'],
	[{ status: { code: 3, text: 'QR' } }, 'pairing'],
	[{ status: { loggedIn: true, isConn: false, isQr: false } }, 'offline'],
])('%j is %s', (data, phase) => {
	expect(phaseOfSession(response(JSON.stringify(data)))).toBe(phase);
});
