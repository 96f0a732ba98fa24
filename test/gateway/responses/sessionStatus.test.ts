import fc from 'fast-check';

import { permanentStatusText } from '../../../gateway/failures/sessionTexts';
import { phaseOfCode, phaseOf } from '../../../gateway/responses/dialect';
import { isOffline, rejectionHasStatus, sessionIn } from '../../../gateway/responses/sessionStatus';
import { response } from '../../harness/responses';

const answer = (text: string, type = 'application/json') =>
	response(text, { 'content-type': type });
const read = (data: unknown) => sessionIn(response(JSON.stringify(data)));

test.each([
	['{"session_status":"ONLINE"}', 'ONLINE'],
	['{"name":"default","status":"FAILED"}', 'FAILED'],
	['{"instance":{"instanceName":"a","state":"open"}}', 'OPEN'],
	['{"stateInstance":"authorized"}', 'AUTHORIZED'],
	['{"code":200,"data":{"connected":true,"loggedIn":true}}', 'CONNECTED'],
	['{"code":200,"data":{"Connected":true,"LoggedIn":false}}', 'NOT_LOGGEDIN'],
	['{"success":false,"status":"DISCONNECTED"}', 'DISCONNECTED'],
	// The word may be about the response, or in unknown words.
	['{"status":"success","data":{"state":"DISCONNECTED"}}', 'DISCONNECTED'],
	['{"status":"ONLINE","data":{"status":"fetched"}}', 'ONLINE'],
	['{"state":"done","result":{"status":"AUTH_FAILURE","state":"x"}}', 'AUTH_FAILURE'],
	['{"status":"napping","session":"qr-shop","data":"Scan the QR code"}', 'NAPPING'],
	// It is online only if nothing denies it.
	['{"success":false,"status":"ONLINE"}', undefined],
	['{"ok":0,"data":{"state":"CONNECTED"}}', undefined],
	['{"error":"database is locked","status":"ONLINE"}', undefined],
	['{"status":"ONLINE","isReady":false}', 'NOT_READY'],
	['{"status":"SCAN_QR_CODE","connected":false}', 'SCAN_QR_CODE'],
	// There is none.
	['', undefined],
	['{"status":"error","message":"No database"}', undefined],
	['{"status":"fail","data":{"reason":"restarting"}}', undefined],
	['{"success":true,"session":"my-session-1"}', undefined],
	['{"__proto__":{"status":"ONLINE"}}', undefined],
])('%s is read as %s', (text, word) => {
	const received = answer(text);
	expect(sessionIn(received).status).toBe(word);
	expect((sessionIn(received).fields?.status as string | undefined)?.toUpperCase()).toBe(word);
});

test('a web page contains no status, but a word that the framework sends as HTML is one', () => {
	expect(sessionIn(answer('online', 'text/html')).status).toBe('ONLINE');
	expect(sessionIn(answer('<p>online</p>', 'text/html')).status).toBeUndefined();
	expect(sessionIn(answer('<html>ONLINE</html>', 'text/plain')).status).toBeUndefined();
});

test('the status is returned with the fields next to it', () => {
	expect(read('ONLINE').fields).toEqual({ status: 'ONLINE' });
	const error = 'session_not_connected';
	expect(read({ error }).fields).toEqual({ error, status: error });
	expect(read({ status: 'ok', data: { session: 'ONLINE', phone: '49' } }).fields).toEqual({
		...{ status: 'ONLINE', session: 'ONLINE', phone: '49' },
	});
	const outer = { status: 'ONLINE', data: { status: 'x' } };
	expect(read(outer).fields).toEqual(outer);
});

test.each<[phase: string, words: string]>([
	['online', 'ONLINE CONNECTED WORKING SESSION_CONNECTED'],
	['pairing', 'AWAITING_QR SCAN_QR_CODE CONNECTING STARTING'],
	['offline', 'DISCONNECTED DISCONNECTING CLOSE UNPAIRED FAILED SESSION_NOT_FOUND'],
	['loggedOut', 'AUTH_FAILURE LOGGED_OUT'],
	['banned', 'BANNED'],
	['expired', 'QR_EXPIRED'],
	['unknown', 'CONFLICT NOT_FOUND'],
])('%s: %s', (phase, words) => {
	for (const word of words.split(' ')) expect([word, phaseOf(word)]).toEqual([word, phase]);
});

test.each<[string, string]>([
	['{"status":"ONLINE","phoneConnected":true}', 'online'],
	['{"connected":false,"error":"You are not connected.","smartphoneConnected":true}', 'offline'],
	['{"status":"ONLINE","error":{"message":"Session expired"}}', 'unknown'],
	['{"status":{"accountStatus":{"status":"authenticated","substatus":"connected"}}}', 'online'],
	['{"clientStatus":{"status":"success","instanceStatus":"ready"},"status":"success"}', 'online'],
	['{"status":{"code":3,"text":"QR"}}', 'pairing'],
	['{"status":{"loggedIn":true,"isConn":false,"isQr":false}}', 'offline'],
])('%s is %s', (text, phase) => {
	expect(sessionIn(response(text)).phase).toBe(phase);
});

const ONLINE = [
	...[{ status: 'ONLINE' }, { state: 'running' }, { connected: true }, { isReady: 'yes' }],
	...[{ accountStatus: { status: 'authenticated' } }, { session: { state: 'open' } }],
];
const DENIALS = [
	...[{ status: 'disconnected' }, { status: 'SCAN_QR_CODE' }, { state: 'logged_out' }],
	...[{ connected: false }, { ready: 'no' }, { disconnected: true }, { loggedOut: true }],
];

test('the worse of two words about the session wins, whatever is before it and wherever it is', () => {
	const places = [undefined, 'data', 'session', 'bot', 'accountStatus'];
	const property = fc.property(
		fc.tuple(fc.constantFrom(...ONLINE), fc.constantFrom(...DENIALS)),
		fc.constantFrom('', 'sub_', 'bot_', 'phone', 'engine-'),
		fc.constantFrom(...places),
		fc.boolean(),
		([good, denial], before, place, isFirst) => {
			const [[name, value] = ['']] = Object.entries(denial);
			const field = { [before + name]: value };
			const worse = place ? { [place]: field } : field;
			fc.pre(!Object.keys(worse).some((key) => key in good));
			expect(read(good).phase).toBe('online');
			const { phase } = read(isFirst ? { ...worse, ...good } : { ...good, ...worse });
			expect(phase).toMatch(/^(offline|loggedOut|pairing)$/);
		},
	);
	fc.assert(property, { numRuns: 500 });
});

test.each([{ disconnected: false }, { webhookStatus: 'failed' }, { lastMessageStatus: 'failed' }])(
	'%j beside an online status is about something else, or no denial',
	(other) => {
		expect(read({ status: 'ONLINE', ...other }).phase).toBe('online');
	},
);

describe('an error that says that the session is not online', () => {
	// Of avoylenko/wwebjs-api, devlikeapro/waha, EvolutionAPI/evolution-api and asternic/wuzapi, and others like them.
	test.each([
		[404, '{"success":false,"error":"session_not_found"}', 'SESSION_NOT_FOUND'],
		[422, '{"error":"Try again","status":"SCAN_QR_CODE","expected":["WORKING"]}', 'SCAN_QR_CODE'],
		[503, '{"status":"DISCONNECTED"}', 'DISCONNECTED'],
		[400, '{"error":{"code":"not_logged_in"}}', 'NOT_LOGGED_IN'],
	])('%i %s is a status, and the cause', (status, text, word) => {
		const rejected = response(text, {}, status);
		expect(sessionIn(rejected).status).toBe(word);
		expect(rejectionHasStatus(rejected)).toBe(true);
		expect(isOffline(rejected)).toBe(true);
	});

	test.each([
		[404, '{"statusCode":404,"error":"Not Found","message":"Cannot GET /status"}'],
		[401, '{"error":"not_authenticated"}'],
		// A sentence decides nothing.
		[409, '{"message":"The session is currently disconnected"}'],
		[409, '{"error":"The phone is offline"}'],
		[200, '{"success":false,"status":"expired"}'],
		[200, '{"success":false,"state":"CONNECTED"}'],
		[400, '{"status":"FAILED","error":"Number not on WhatsApp"}'],
	])('is not found in %i %s', (status, text) => {
		expect(isOffline(response(text, {}, status))).toBe(false);
	});

	test('is no status if an online one contradicts it, whatever the status', () => {
		expect(rejectionHasStatus(response('{"isReady":true}', {}, 500))).toBe(false);
		expect(rejectionHasStatus(response('{"status":"ONLINE","connected":0}', {}, 500))).toBe(true);
	});

	test.each([
		['alreadyConnected', 'online'],
		['session_connected', 'online'],
		['open', 'unknown'],
	])('%j means %s', (text, phase) => {
		expect(phaseOfCode(text)).toBe(phase);
	});
});

// The list of errors has the texts of the others.
test('waiting is not hopeless as long as the user need not act on the phone or the account', () => {
	for (const status of ['ONLINE', 'AWAITING_QR', 'DISCONNECTED', 'CONFLICT']) {
		expect(permanentStatusText(status)).toBeUndefined();
	}
});
