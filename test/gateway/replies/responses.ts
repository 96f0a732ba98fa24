import type { Confirmation } from '../../../gateway/replies/outcome';

/** What gateways say with a status 2xx, and what it means. Shapes are from the source; names and numbers are made up. */
export type Meaning = 'sent' | 'deferred' | 'duplicate' | 'done' | 'rejected' | 'unknown';

export interface Said {
	/** The project, and its file, page or issue. "Like …": the same style, without a source of its own. */
	from: string;
	/** What was requested; a message unless it is given. */
	to?: Confirmation;
	status?: number;
	type?: string;
	/** Text is the body itself; anything else is its JSON. */
	says: Array<[body: unknown, meaning: Meaning]>;
}

const JID = '491511234567@s.whatsapp.net';
const HEX = '3EB027FBB9CD0225E9D27F';
const SERIAL = `true_491511234567@c.us_${HEX}`;
const ID = { fromMe: true, remote: '491511234567@c.us', id: HEX, _serialized: SERIAL };
const KEY = { remoteJid: JID, fromMe: true, id: HEX };
const baileys = (status: unknown, text = 'Hello') => ({
	key: KEY,
	message: { extendedTextMessage: { text } },
	messageTimestamp: '1727857121',
	status,
});
const webjs = (more: object = {}) => ({
	_data: {
		...{ id: ID, viewed: false, body: 'Payment failed', type: 'chat', t: 1762738750, ack: 0 },
		...{ isNewMsg: true, star: false, isFromTemplate: false, pollInvalidated: false },
		...{ isSentCagPollCreation: false, latestEditMsgKey: null, mentionedJidList: [] },
		...{ isEventCanceled: false, eventInvalidated: false, isForwarded: false },
	},
	id: ID,
	...{ ack: 0, hasMedia: false, body: 'Payment failed', type: 'chat', timestamp: 1762738750 },
	...{ from: '49151@c.us', to: '49152@c.us', deviceType: 'android', isStatus: false },
	...more,
});

export const SAID: Said[] = [
	{
		from: 'avoylenko/wwebjs-api src/controllers/clientController.js, sendMessage',
		says: [
			[{ success: true, message: webjs() }, 'sent'],
			[{ success: true }, 'sent'],
		],
	},
	{
		from: 'avoylenko/wwebjs-api pull request 151',
		says: [[{ success: true, message: null, warning: 'no message was returned' }, 'sent']],
	},
	{
		from: 'avoylenko/wwebjs-api src/sessions.js, validateSession',
		says: [
			[{ success: false, state: null, message: 'session_not_found' }, 'rejected'],
			[{ success: false, state: null, message: 'browser tab closed' }, 'rejected'],
			[{ success: false, state: null, message: 'session closed' }, 'rejected'],
			[{ success: false, state: 'OPENING', message: 'session_not_connected' }, 'rejected'],
		],
	},
	{
		from: 'chrishubert/whatsapp-api issue 318',
		says: [[{ success: false, error: 'session_not_connected' }, 'rejected']],
	},
	{
		from: 'avoylenko/wwebjs-api src/utils.js, sendErrorResponse',
		says: [
			[{ success: false, error: 'invalid media options' }, 'rejected'],
			[{ success: false, error: 'Invalid API key' }, 'rejected'],
			[{ success: false, error: 'Chat not Found' }, 'rejected'],
		],
	},
	{
		from: 'avoylenko/wwebjs-api issue 75',
		says: [[{ success: true, state: 'CONNECTED', message: 'session_connected' }, 'sent']],
	},
	{
		from: 'avoylenko/wwebjs-api src/controllers/sessionController.js, startSession',
		to: 'started',
		says: [
			[{ success: true, message: 'Session initiated successfully' }, 'done'],
			[{ success: false, error: 'Session already exists for: s1' }, 'rejected'],
		],
	},
	{
		from: 'avoylenko/wwebjs-api src/controllers/sessionController.js, terminateSession',
		to: 'terminated',
		says: [
			[{ success: true, message: 'Logged out successfully' }, 'done'],
			[{ success: true, message: 'Session stopped successfully' }, 'done'],
			[{ success: false, message: 'session_not_found' }, 'rejected'],
			[{ success: false, message: 'page_not_ready' }, 'rejected'],
		],
	},
	{
		from: 'avoylenko/wwebjs-api src/controllers/sessionController.js, restartSession',
		to: 'refreshed',
		says: [[{ success: true, message: 'Restarted successfully' }, 'done']],
	},
	{
		from: 'open-wa/wa-automate-nodejs issues 490 and 683',
		says: [
			[{ success: true, response: SERIAL }, 'sent'],
			[{ success: true }, 'sent'],
			[{ success: true, response: false }, 'rejected'],
			[{ success: true, response: true }, 'sent'],
		],
	},
	{
		from: 'open-wa/wa-automate-nodejs issues 2674 and 3325',
		says: [
			[{ success: true, response: 'ERROR: Not a contact' }, 'rejected'],
			[
				{ success: true, response: 'ERROR: Not a contact. Unlock it: https://get.example/l/15' },
				'rejected',
			],
		],
	},
	{
		from: 'open-wa/wa-automate-nodejs packages/core/src/transport/assets/wapi.js',
		says: [
			[{ success: true, response: 'Not a contact' }, 'rejected'],
			[{ success: true, response: 'Not able to send message to broadcast' }, 'rejected'],
		],
	},
	{
		from: 'open-wa/wa-automate-nodejs issue 1143',
		says: [[{ success: false, error: {} }, 'rejected']],
	},
	{
		from: 'Like open-wa: an error as an object, and a reason next to it',
		says: [
			[{ success: false, error: { name: 'PAGE_CLOSED', message: 'Page closed' } }, 'rejected'],
			[{ success: true, response: 'ERROR: Number not linked to WhatsApp Account' }, 'rejected'],
			[{ success: true, response: { status: 'ERROR', reason: 'No route' } }, 'rejected'],
		],
	},
	{
		from: 'open-wa/wa-automate-nodejs packages/wa-automate/src/server/__tests__/middleware.test.ts',
		says: [[{ error: 'API not available until the session is ready', status: 503 }, 'rejected']],
	},
	{
		from: 'devlikeapro/waha issues 569 and 760 (NOWEB)',
		status: 201,
		says: [[baileys('PENDING'), 'sent']],
	},
	{
		from: 'devlikeapro/waha issue 1615 (WEBJS)',
		status: 201,
		says: [[webjs(), 'sent']],
	},
	{
		from: 'devlikeapro/waha issues 1379 and 1167',
		status: 201,
		says: [
			[
				{
					...{ id: SERIAL, timestamp: 1758083503, from: '49151@c.us', fromMe: true, source: 'api' },
					...{ body: 'Error: need help', hasMedia: false, media: null, ack: 0, ackName: 'PENDING' },
					...{ replyTo: null, _data: baileys('PENDING') },
				},
				'sent',
			],
		],
	},
	{
		from: 'devlikeapro/waha issue 2083',
		status: 201,
		says: [
			[{ id: SERIAL, timestamp: 1758083503, body: 'Hi', ack: 1, ackName: 'SERVER' }, 'sent'],
			[{ error: 'PHONE_NOT_ON_WHATSAPP', message: 'The number is not registered' }, 'rejected'],
		],
	},
	{
		from: 'Like WAHA: the error of an engine',
		says: [[{ id: SERIAL, body: 'Hi', ack: -1, ackName: 'ERROR' }, 'rejected']],
	},
	{ from: 'devlikeapro/waha issue 1087', status: 201, says: [['', 'sent']] },
	{
		from: 'devlikeapro/waha issue 1329',
		says: [
			[
				{
					...{ error: 'Session status is not as expected. Try again later', session: 'default' },
					...{ status: 'STARTING', expected: ['WORKING'] },
				},
				'rejected',
			],
		],
	},
	{
		from: 'devlikeapro/waha src/api/sessions.controller.ts, start',
		to: 'started',
		says: [
			[{ name: 'default', status: 'STARTING', config: { proxy: null } }, 'done'],
			[{ name: 'default', status: 'SCAN_QR_CODE' }, 'done'],
			[{ name: 'default', status: 'WORKING' }, 'done'],
			[{ name: 'default', status: 'FAILED' }, 'rejected'],
		],
	},
	{
		from: 'devlikeapro/waha src/api/sessions.controller.ts, stop, restart and delete',
		to: 'terminated',
		says: [
			[{ name: 'default', status: 'STOPPED' }, 'done'],
			['', 'done'],
			[{ statusCode: 404, message: 'Session not found' }, 'rejected'],
		],
	},
	{
		from: 'devlikeapro/waha src/api/chatting.controller.ts',
		says: [[{ result: true }, 'sent']],
	},
	{
		from: 'EvolutionAPI/evolution-api issue 2597, and whatsapp.baileys.service.ts',
		status: 201,
		says: [
			[{ ...baileys('PENDING'), contextInfo: null, instanceId: 'i-1', source: 'unknown' }, 'sent'],
			[{ ...baileys('PENDING', 'Your order was not sent'), messageType: 'conversation' }, 'sent'],
			[baileys('SERVER_ACK'), 'sent'],
			[baileys('DELIVERY_ACK'), 'sent'],
			[baileys('ERROR'), 'rejected'],
		],
	},
	{
		from: 'EvolutionAPI/evolution-api src/api/controllers/instance.controller.ts, connectToWhatsapp',
		to: 'started',
		says: [
			[
				{
					pairingCode: null,
					code: '2@y8eK+bjtEjUWy9/FOM',
					base64: 'data:image/png;base64,iV',
					count: 1,
				},
				'done',
			],
			[{ instance: { instanceName: 'i', state: 'open' } }, 'done'],
			[{ instance: { instanceName: 'i', status: 'connecting' }, qrcode: { count: 0 } }, 'done'],
			[{ error: true, message: 'Error: Connection Closed' }, 'rejected'],
		],
	},
	{
		from: 'EvolutionAPI/evolution-api issues 1113 and 1153, logout',
		to: 'terminated',
		says: [
			[{ status: 'SUCCESS', error: false, response: { message: 'Instance logged out' } }, 'done'],
			[{ status: 'SUCCESS', error: false, response: { message: 'Instance deleted' } }, 'done'],
		],
	},
	{
		from: 'EvolutionAPI/evolution-api issue 1407',
		says: [
			[
				{ status: 400, error: 'Bad Request', message: ['The "1" instance is not here'] },
				'rejected',
			],
		],
	},
	{
		from: 'Like Evolution API: the body of a status 400, with 200',
		says: [
			[
				{ status: 400, error: 'Bad Request', response: { message: [{ exists: false, jid: JID }] } },
				'rejected',
			],
			[{ response: { message: [{ exists: false, number: '49151' }] } }, 'rejected'],
		],
	},
	{
		from: 'green-api/docs pt/docs/api/sending/SendMessage.md',
		says: [[{ idMessage: '3EB0C767D097B7C7C030' }, 'sent']],
	},
	{
		from: 'green-api/docs pt/docs/api/common-errors.md: errors with the status 200',
		type: 'text/plain',
		says: [
			['instance in starting process try later', 'rejected'],
			['instance account not authorized', 'rejected'],
		],
	},
	{
		from: 'green-api/docs pt/docs/api/account/Logout.md',
		to: 'terminated',
		says: [
			[{ isLogout: true }, 'done'],
			[{ isLogout: false }, 'rejected'],
		],
	},
	{
		from: 'green-api/docs pt/docs/api/account/Reboot.md',
		to: 'refreshed',
		says: [
			[{ isReboot: true }, 'done'],
			[{ isReboot: false }, 'rejected'],
		],
	},
	{
		from: 'Like GREEN-API: the quota in a response',
		says: [
			[
				{
					invokeStatus: {
						method: 'sendMessage',
						used: 3,
						total: 3,
						status: 'QUOTE_ALLOWED_EXCEEDED',
					},
				},
				'rejected',
			],
			[{ stateInstance: 'notAuthorized' }, 'rejected'],
			[{ existsWhatsapp: false }, 'rejected'],
			[{ message: 'Loading...' }, 'rejected'],
		],
	},
	{
		from: 'aldinokemal/go-whatsapp-web-multidevice src/usecase/send.go and docs/openapi.yaml',
		says: [
			[
				{
					...{
						status: 200,
						code: 'SUCCESS',
						message: 'Message sent to 49151 (server timestamp: 2026)',
					},
					results: { message_id: HEX, status: 'Message sent to 49151 (server timestamp: 2026)' },
				},
				'sent',
			],
			[
				{ code: 'SUCCESS', message: 'Success', results: { status: 'Document sent to 49151' } },
				'sent',
			],
		],
	},
	{
		from: 'aldinokemal/go-whatsapp-web-multidevice src/pkg/error',
		says: [
			[
				{ status: 400, code: 'INVALID_JID', message: 'your JID is invalid', results: null },
				'rejected',
			],
			[{ code: 'AUTHENTICATION_ERROR', message: 'you are not logged in' }, 'rejected'],
			[{ code: 'INTERNAL_SERVER_ERROR', message: 'context deadline exceeded' }, 'unknown'],
			[{ code: 'VALIDATION_ERROR', message: 'phone: cannot be blank.' }, 'rejected'],
			[{ code: 'NOT_FOUND', message: 'device missing' }, 'rejected'],
		],
	},
	{
		from: 'aldinokemal/go-whatsapp-web-multidevice docs/openapi.yaml, login',
		to: 'started',
		says: [
			[
				{
					code: 'SUCCESS',
					message: 'Login success',
					results: { qr_link: 'http://x/qr.png', qr_duration: 30 },
				},
				'done',
			],
			[{ code: 'SESSION_SAVED_ERROR', message: 'your session has been saved' }, 'rejected'],
		],
	},
	{
		from: 'asternic/wuzapi API.md, sending',
		says: [
			[
				{
					code: 200,
					data: { Details: 'Sent', Id: '90B2F8B13FAC8A9CF6B06E99C7834DC5', Timestamp: '2022' },
					success: true,
				},
				'sent',
			],
		],
	},
	{
		from: 'asternic/wuzapi handlers.go',
		says: [
			[{ code: 500, error: 'No session', success: false }, 'rejected'],
			[{ code: 400, error: 'Could not decode Payload', success: false }, 'rejected'],
		],
	},
	{
		from: 'asternic/wuzapi API.md, session/connect',
		to: 'started',
		says: [
			[
				{ code: 200, data: { details: 'Connected!', events: 'Message', jid: JID }, success: true },
				'done',
			],
			[{ code: 500, error: 'Already Connected', success: false }, 'rejected'],
		],
	},
	{
		from: 'asternic/wuzapi API.md, session/disconnect and logout',
		to: 'terminated',
		says: [
			[{ code: 200, data: { Details: 'Disconnected' }, success: true }, 'done'],
			[{ code: 200, data: { Details: 'Logged out' }, success: true }, 'done'],
		],
	},
	{
		from: 'wppconnect-team/wppconnect-server src/controller/messageController.ts, returnSucess',
		status: 201,
		says: [
			[
				{
					status: 'success',
					response: [{ id: SERIAL, ack: 1, body: 'Hi', isSendFailure: false }],
					mapper: 'return',
				},
				'sent',
			],
			[{ status: 'success', response: [], mapper: 'return' }, 'sent'],
		],
	},
	{
		from: 'wppconnect-team/wppconnect-server issue 2517',
		status: 201,
		says: [
			[
				{
					status: 'success',
					response: [{ id: SERIAL, ack: -1, isSendFailure: true }],
					mapper: 'return',
				},
				'rejected',
			],
			[{ status: 'success', response: [{ id: SERIAL, ack: -1 }] }, 'rejected'],
			[{ status: 'success', response: [{ id: SERIAL, isSendFailure: true }] }, 'rejected'],
		],
	},
	{
		from: 'wppconnect-team/wppconnect-server src/controller/messageController.ts, returnError',
		says: [[{ status: 'Error', message: 'Erro ao enviar a mensagem.', error: {} }, 'rejected']],
	},
	{
		from: 'wppconnect-team/wppconnect-server src/middleware/statusConnection.ts',
		says: [
			[{ response: null, status: 'Disconnected', message: 'A sessão não está ativa.' }, 'rejected'],
			[{ response: null, status: 'Connected', message: 'O número 49151 não existe.' }, 'rejected'],
		],
	},
	{
		from: 'wppconnect-team/wppconnect-server src/controller/sessionController.ts',
		to: 'terminated',
		says: [
			[{ status: true, message: 'Session successfully closed' }, 'done'],
			[{ status: false, message: 'Error closing session', error: {} }, 'rejected'],
			[{ status: 'CLOSED', qrcode: null }, 'done'],
			[{ status: 'error', response: 'Not implemented yet' }, 'rejected'],
		],
	},
	{
		from: 'wppconnect-team/wppconnect-server src/controller/sessionController.ts, startAllSessions',
		to: 'started',
		says: [
			[{ status: 'success', message: 'Starting all sessions' }, 'done'],
			[{ response: 'error', message: 'The token is incorrect' }, 'rejected'],
			[{ response: false, message: 'The token is incorrect' }, 'rejected'],
		],
	},
	{
		from: 'ookamiiixd/baileys-api src/controllers/message.ts',
		says: [
			[baileys(1), 'sent'],
			[baileys(2), 'sent'],
			[baileys(0), 'rejected'],
			[{ results: [{ index: 0, result: baileys('PENDING') }], errors: [] }, 'sent'],
			[{ results: [], errors: [{ index: 0, error: 'JID does not exists' }] }, 'rejected'],
			[{ error: 'JID does not exists' }, 'rejected'],
		],
	},
	{
		from: 'ookamiiixd/baileys-api src/controllers/session.ts',
		to: 'terminated',
		says: [
			[{ message: 'Session deleted' }, 'done'],
			[{ error: 'Session not found' }, 'rejected'],
		],
	},
	{
		from: 'ookamiiixd/baileys-api src/wa.ts',
		to: 'started',
		says: [
			[{ qr: 'data:image/png;base64,iVBORw0KGgo=' }, 'done'],
			[{ error: 'Session already exists' }, 'rejected'],
			[{ error: 'Unable to generate QR' }, 'rejected'],
		],
	},
	{
		from: 'salman0ansari/whatsapp-api-nodejs src/api/controllers/message.controller.js',
		status: 201,
		says: [
			[{ error: false, data: baileys('PENDING') }, 'sent'],
			[{ error: false, data: { ...baileys(1), participant: '' } }, 'sent'],
		],
	},
	{
		from: 'salman0ansari/whatsapp-api-nodejs src/api/middlewares/loginCheck.js',
		says: [
			[{ error: true, message: "phone isn't connected" }, 'rejected'],
			[{ error: true, message: 'no key query was present' }, 'rejected'],
		],
	},
	{
		from: 'salman0ansari/whatsapp-api-nodejs src/api/controllers/instance.controller.js',
		to: 'started',
		says: [
			[
				{ error: false, message: 'Initializing successfully', key: 'k', qrcode: { url: 'u' } },
				'done',
			],
		],
	},
	{
		from: 'salman0ansari/whatsapp-api-nodejs src/api/controllers/instance.controller.js, logout',
		to: 'terminated',
		says: [[{ error: false, message: 'logout successfull', errormsg: null }, 'done']],
	},
	{
		from: 'code-chat-br/whatsapp-api issue 17',
		status: 201,
		says: [
			[
				{
					key: KEY,
					message: { reactionMessage: { key: KEY, text: 'x' } },
					messageTimestamp: '1',
					status: 'PENDING',
				},
				'sent',
			],
		],
	},
	{
		from: 'vynect/venom issues 1437 and 1803',
		says: [
			[
				{
					me: {},
					to: '49151@c.us',
					erro: true,
					text: 'The number does not exist',
					status: 404,
					result: null,
				},
				'rejected',
			],
			[
				{ me: {}, to: '49151@c.us', erro: true, text: 'The number does not exist', result: null },
				'rejected',
			],
		],
	},
	{
		from: 'emingure/whatsapp-business-api-ts issue 2, and netflie/whatsapp-cloud-api issue 163',
		says: [
			[
				{
					messaging_product: 'whatsapp',
					contacts: [{ input: '+49151', wa_id: '49151' }],
					messages: [{ id: 'wamid.HBgLNTY=' }],
				},
				'sent',
			],
			[{ messages: [{ id: 'wamid.HBgLNTY=', message_status: 'accepted' }] }, 'sent'],
			[{ success: true, response: { messages: [{ id: 'wamid.HBgLNTY=' }] } }, 'sent'],
		],
	},
	{
		from: 'Like the Cloud API of WhatsApp',
		says: [
			[
				{ messages: [{ id: 'wamid.HBgLNTY=', message_status: 'held_for_quality_assessment' }] },
				'deferred',
			],
			[
				{
					error: {
						message: 'Invalid OAuth access token',
						type: 'OAuthException',
						code: 190,
						fbtrace_id: 'A',
					},
				},
				'rejected',
			],
			[{ messages: [{ status: 'failed' }] }, 'rejected'],
			[{ meta: { api_status: 'stable' }, messages: [{ id: 'gBEGkYiE' }] }, 'sent'],
		],
	},
	{
		from: 'developer.enablex.io, WhatsApp Business API responses',
		says: [
			[{ status: 'processing', message_id: 'm-1' }, 'sent'],
			[
				{
					statuses: [
						{
							id: 'wamid.HBgM',
							status: 'failed',
							timestamp: '1',
							errors: [{ code: 131047, title: 'Message failed to send' }],
						},
					],
				},
				'rejected',
			],
		],
	},
	{
		from: 'infobip/infobip-api-php-tutorial issue 8, and huaweicloud.com sendWhatsappMessage',
		says: [
			[
				{ success: true, messageId: '3994', status: 'PENDING_ACCEPTED', category: 'PENDING' },
				'sent',
			],
			[
				{
					messages: [
						{
							to: '49151',
							status: { groupId: 1, groupName: 'PENDING', id: 26, name: 'PENDING_ACCEPTED' },
							messageId: '3994',
						},
					],
				},
				'sent',
			],
			[
				{
					messages: [
						{
							to: '49151',
							status: { groupId: 5, groupName: 'REJECTED', id: 51, name: 'REJECTED_DESTINATION' },
							messageId: '3994',
						},
					],
				},
				'rejected',
			],
		],
	},
	{
		from: 'docs.fonnte.com, API send message and API check message status',
		says: [
			[
				{
					detail: 'success! message in queue',
					id: ['80367170'],
					process: 'pending',
					status: true,
					target: ['49151'],
				},
				'deferred',
			],
			[{ id: 2, message_status: 'sent', status: true }, 'sent'],
			[{ reason: 'token invalid', status: false }, 'rejected'],
			[{ reason: 'id required', status: false }, 'rejected'],
		],
	},
	{
		from: 'docs.fonnte.com, delete device',
		to: 'deleted',
		says: [
			[{ detail: 'device 08123456789 successfully deleted', status: true }, 'done'],
			[{ reason: 'invalid device', status: false }, 'rejected'],
			[{ reason: 'delete failed. try again in 9 seconds', status: false }, 'rejected'],
		],
	},
	{
		from: 'docs.rs/crate/one-msg-sdk MessageSentResponse.md',
		says: [
			[
				{ sent: true, id: 'gBEGkYiE', message: 'Sent', description: 'Message has been sent' },
				'sent',
			],
			[{ sent: false, message: 'Wrong phone', description: 'Wrong phone' }, 'rejected'],
		],
	},
	{
		from: 'Like UltraMsg and Chat-API',
		says: [
			[{ sent: 'true', message: 'ok', id: 42 }, 'sent'],
			[{ sent: true, message: 'Sent to 49151@c.us', id: SERIAL, queueNumber: 100 }, 'sent'],
			[{ sent: 'false', message: 'error: invalid token' }, 'rejected'],
			[{ error: [{ to: 'is required' }] }, 'rejected'],
			[{ status: 'queue', id: 42 }, 'deferred'],
			[{ status: 'unsent', id: 42 }, 'rejected'],
			[{ status: 'invalid', id: 42 }, 'rejected'],
			[{ status: 'expired', id: 42 }, 'rejected'],
		],
	},
	{
		from: 'developer.z-api.io, reply status text',
		says: [
			[
				{
					zaapId: '3999984263738042930CD6ECDE9VDWSA',
					messageId: 'D241XXXX732339502B68',
					id: 'D241XXXX732339502B68',
				},
				'sent',
			],
		],
	},
	{
		from: 'Like Whapi and Wassenger',
		says: [
			[
				{
					sent: true,
					message: {
						id: 'PsqXn5SAD5v7HRA',
						from_me: true,
						type: 'text',
						status: 'pending',
						text: { body: 'Hi' },
					},
				},
				'sent',
			],
			[
				{ id: '5f3', waId: HEX, status: 'queued', deliveryStatus: 'queued', createdAt: '2026' },
				'deferred',
			],
			[{ id: '5f3', status: 'sent', deliveryStatus: 'sent' }, 'sent'],
		],
	},
	{
		from: 'docs.periskope.app, send message',
		says: [[{ queue_id: 'q-1', queue_position: 0 }, 'deferred']],
	},
	{ from: 'docs.modawer.com, responses', says: [[{ queued: true }, 'deferred']] },
	{
		from: 'umva.net, send WhatsApp message',
		says: [
			[
				{
					success: true,
					message: 'Message sent successfully',
					data: { device_name: 'd', remaining_capacity: 315 },
				},
				'sent',
			],
		],
	},
	{
		from: 'api-docs.kirimna.com, send message',
		says: [
			[
				{
					meta: { status: 200, message: 'Successfully sent message' },
					data: { id: '9bf8', type: 'text', to: '62', content: { text: 'Not found' } },
				},
				'sent',
			],
			[{ meta: { status: 400, message: 'Bad Request' }, data: {} }, 'rejected'],
		],
	},
	{
		from: 'zapd.vazapay.com, single message',
		says: [
			[{ id: 'r', status: 'created', created_at: '2026' }, 'sent'],
			[{ id: 'r', status: 'failed', created_at: '2026' }, 'rejected'],
			[{ id: 'r', status: 'success', created_at: '2026' }, 'sent'],
		],
	},
	{
		from: 'docs.drips.com, response',
		says: [
			[
				{
					Token: '68F27199-0571-45A2-AEF8-EB4672AA3E81',
					Success: true,
					ResponseCode: 1,
					Message: 'Success',
				},
				'sent',
			],
		],
	},
	{
		from: 'api-evangelist/ahasend openapi-v2-create-single-message-response-schema.json',
		says: [
			[
				{ object: 'message', id: '500123', recipient: {}, status: 'queued', error: null },
				'deferred',
			],
			[
				{
					object: 'message',
					id: null,
					recipient: {},
					status: 'error',
					error: 'Domain not verified',
				},
				'rejected',
			],
			[
				{ object: 'message', id: '500123', recipient: {}, status: 'scheduled', error: '' },
				'deferred',
			],
		],
	},
	{
		from: 'textbee/textbee issue 75',
		status: 201,
		says: [
			[
				{ data: { success: true, message: 'SMS added to queue for processing', smsBatchId: 'b' } },
				'deferred',
			],
		],
	},
	{
		from: 'rmyndharis/OpenWA pull request 739',
		status: 201,
		says: [[{ messageId: SERIAL, timestamp: 1783497600 }, 'sent']],
	},
	{
		from: 'gajosu/ha-whatsapp-web-rest-api issue 181',
		says: [[{ errors: [{ msg: 'Invalid value', param: 'msg', location: 'body' }] }, 'rejected']],
	},
	{
		from: 'mgp25/Chat-API issue 1453: a notice of PHP before the JSON',
		says: [
			[
				'Notice: Undefined index: id in C:\\xampp\\whatsapp.php on line 321\n{"success":true,"messages":null}',
				'unknown',
			],
		],
	},
	{
		from: 'Like PHP without its content type',
		says: [
			[
				'<br />\n<b>Warning</b>:  Undefined variable $x in <b>/srv/a.php</b> on line <b>3</b><br />\n{"success":true}',
				'unknown',
			],
		],
	},
	{
		from: 'Like PHP with its own content type',
		type: 'text/html; charset=UTF-8',
		says: [
			[
				'<br />\n<b>Warning</b>:  Undefined variable $x in <b>/srv/a.php</b> on line <b>3</b><br />\n{"sent":true}',
				'unknown',
			],
			['{"sent":true,"message":"ok","id":"7"}', 'sent'],
			['OK', 'sent'],
		],
	},
	{
		from: 'aldinokemal/go-whatsapp-web-multidevice src/usecase/send.go and forward.go, other messages',
		says: [
			[
				{
					code: 'SUCCESS',
					results: { status: 'Send location success 49151 (server timestamp: 2026)' },
				},
				'sent',
			],
			[{ code: 'SUCCESS', results: { status: 'Send poll success 49151' } }, 'sent'],
			[
				{ code: 'SUCCESS', results: { message_id: HEX, status: 'Message forwarded to 49151' } },
				'sent',
			],
			[
				{ status: 500, code: 'WA_REACHOUT_TIMELOCK', message: 'restricted', results: null },
				'rejected',
			],
		],
	},
	{
		from: 'EvolutionAPI/evolution-go pkg/sendMessage and pkg/core',
		says: [
			[
				{
					message: 'success',
					data: {
						Info: {
							Chat: JID,
							ID: HEX,
							ServerID: 0,
							Type: 'ExtendedTextMessage',
							VerifiedName: null,
						},
						Message: {
							extendedTextMessage: { text: '{"success":false,"error":"Payment failed"}' },
						},
						MessageContextInfo: { stanzaID: '', quotedMessage: { conversation: '' } },
					},
				},
				'sent',
			],
			[{ error: 'failed to send text after 2 attempts' }, 'rejected'],
			[
				{ error: 'service not activated', code: 'LICENSE_REQUIRED', message: 'License' },
				'rejected',
			],
		],
	},
	{
		from: 'wppconnect-team/wa-js SendMsgResult, and vynect/venom issues 1984, 2513 and 2785',
		says: [
			[
				{ id: SERIAL, ack: 1, sendMsgResult: { messageSendResult: 'OK', count: null, t: 1 } },
				'sent',
			],
			[{ id: SERIAL, ack: 0, sendMsgResult: { messageSendResult: 'ERROR_UNKNOWN' } }, 'rejected'],
			[
				{ response: [{ id: SERIAL, sendMsgResult: { messageSendResult: 'ERROR_EXPIRED' } }] },
				'rejected',
			],
			[
				{ id: SERIAL, ack: 1, sendMsgResult: { _flags: 269, _value: 'OK', _thenableParent: null } },
				'sent',
			],
			[
				{ to: ID, erro: false, text: 'Payment failed', status: { messageSendResult: 'OK' } },
				'sent',
			],
			[
				{ to: ID, erro: true, text: null, status: { messageSendResult: 'ERROR_UNKNOWN' } },
				'rejected',
			],
		],
	},
	{
		from: 'AlanMartines/mywhatsapp-api-node-wppconnect controllers',
		says: [
			[{ Status: { erro: false, status: 200, message: 'Menssagem envida com sucesso.' } }, 'sent'],
			[{ erro: true, status: 404, message: 'Erro ao enviar menssagem' }, 'rejected'],
			[{ result: 'error', state: 'DISCONNECTED', message: 'Dispositivo desconectado' }, 'rejected'],
			[{ status: 'notProvided', state: 'FAILURE', message: 'Todos os valores' }, 'rejected'],
		],
	},
	{
		from: 'Fonnte, as users have logged it: the quota, and a device that is disconnected',
		says: [
			[
				{
					...{ detail: 'success! message in queue', id: ['86226241'], process: 'pending' },
					quota: { '62851': { details: 'deduced from total quota', quota: 995, used: 1 } },
					...{ requestid: 15786508, status: true, target: ['62812'] },
				},
				'deferred',
			],
			[
				{ reason: 'request invalid on disconnected device', requestid: 1, status: false },
				'rejected',
			],
			[{ reason: 'insufficient quota', status: false }, 'rejected'],
		],
	},
	{
		from: 'Wablas, as users have logged it',
		says: [
			[
				{
					...{ status: true, message: 'Message is pending and waiting to be processed' },
					data: {
						...{ device_id: 'A5DOYJ', quota: 88 },
						messages: [
							{
								id: '5be46e84-650c-4ba1-a1a6-5647d358c43a',
								...{ phone: '62812', message: 'Payment failed', status: 'pending' },
							},
						],
					},
				},
				'sent',
			],
		],
	},
	{
		from: 'GlobalSent, as a user has logged it, and moolre.com',
		says: [
			[
				{ code: '0000', data: { send_id: '23408720', messages: 'test', count: 1 }, message: '' },
				'sent',
			],
			[{ status: 1, code: 'WAS200', message: 'suceess', error: [], data: [] }, 'sent'],
			[
				{ status: 0, code: 'WAS401', message: 'Insufficient balance to send messages.' },
				'rejected',
			],
		],
	},
	{
		from: 'UltraMsg, as users have logged it',
		says: [
			[{ sent: 'true', message: 'ok', id: 12345 }, 'sent'],
			[{ sent: 'queued', id: '1' }, 'deferred'],
			[{ sent: 'false', message: 'WhatsApp not connected' }, 'rejected'],
			[{ sent: 'false', message: 'instance not ready' }, 'rejected'],
			[{ error: 'Wrong token. Please provide token as a GET parameter.' }, 'rejected'],
		],
	},
	{
		from: 'wppconnect-team/wppconnect-server src/util/createSessionUtil.ts',
		to: 'started',
		says: [
			[{ status: 'QRCODE', qrcode: 'data:image/png;base64,iV', urlcode: '2@x' }, 'done'],
			[{ status: 'INITIALIZING', qrcode: null, urlcode: '' }, 'done'],
		],
	},
	{
		from: 'Like SMS gateways: a code of zeros, and counts',
		says: [
			[{ messageId: 'A', errorCode: '00' }, 'sent'],
			[{ success: true, error: { code: '000', message: 'Success' } }, 'sent'],
			[{ status: 'Sent: 1, Failed: 0' }, 'sent'],
			['1 message sent, 0 failed', 'sent'],
			[{ message: '0 sent, 1 failed' }, 'rejected'],
			[{ success: true, message: '0 sent, 1 failed' }, 'unknown'],
			[{ message: 'Sent to 0 recipients' }, 'rejected'],
			[{ success: true, message: 'Message sent. Daily limit: 998 left' }, 'sent'],
			[{ status: 'QUOTA_REACHED' }, 'rejected'],
			[{ message: 'Out of quota' }, 'rejected'],
		],
	},
	{
		from: 'Like Fonnte: a date, until when something holds',
		says: [
			[{ status: true, message: 'sent', expired: '2026-12-31' }, 'sent'],
			[{ messageId: 'A', expired: 1798675200 }, 'sent'],
			[{ messageId: 'A', expired: true }, 'rejected'],
		],
	},
	{
		from: 'Like Wablas and AlanMartines: other languages',
		says: [
			[{ status: 'tidak terkirim' }, 'rejected'],
			[{ status: 'tidak berhasil' }, 'rejected'],
			['Pesan tidak terkirim', 'rejected'],
			[{ status: 'belum terkirim' }, 'deferred'],
			[{ status: 'nomor tidak terdaftar' }, 'rejected'],
			[{ status: 'na\u0303o enviado' }, 'rejected'],
			[{ status: 'número inválido' }, 'rejected'],
			[{ status: 'desconectado' }, 'rejected'],
			[{ status: 'éxito' }, 'sent'],
			['Message wasnt sent', 'rejected'],
		],
	},
	{
		from: 'Like the sandbox: the message waits, and the error says why',
		says: [
			[{ status: 'queued', delivered: false, read: false }, 'deferred'],
			[{ success: true, queued: true, connected: false }, 'deferred'],
			[{ error: 'session_not_online', delivery: { deliveryKey: 'k' } }, 'deferred'],
			[{ delivery: { deliveryKey: 'k', error: { code: 'session_not_online' } } }, 'deferred'],
			[{ error: 'session_not_online', deferred: [{ deliveryKey: 'k' }] }, 'deferred'],
		],
	},
	{
		from: 'Like PHP: an error after the work, of which nobody knows what it has done',
		type: 'text/html; charset=UTF-8',
		says: [
			[
				'<br />\n<b>Fatal error</b>:  Uncaught Error in /srv/send.php:12\nthrown in <b>/srv/send.php</b>',
				'unknown',
			],
			['<b>Notice</b>:  Undefined index in <b>/srv/a.php</b> on line <b>3</b><br />OK', 'unknown'],
		],
	},
	{
		from: 'Like WAHA: a message with its file',
		says: [
			[{ id: SERIAL, media: { mimetype: 'image/png', data: 'a1'.repeat(6_000_000) } }, 'sent'],
			['a1'.repeat(8_000_000), 'unknown'],
			[{ success: true, result: 'yqJRppZk7BI-wNo+Twl0rVw' }, 'sent'],
		],
	},
	{
		from: 'Like Evolution API: the text of a QR code, in which any letters may follow each other',
		to: 'started',
		says: [
			[{ code: '2@y8eK+No/bjtEjUWy9FailOM', base64: null, count: 1 }, 'done'],
			[{ qr: '2@x', expired: '2026-01-01' }, 'done'],
		],
	},
	{
		from: 'Like node-postgres: deleting',
		to: 'deleted',
		says: [
			[{ command: 'DELETE', rowCount: 0, rows: [] }, 'rejected'],
			[{ command: 'DELETE', rowCount: 1, rows: [] }, 'done'],
			[{ message: 'Deleted 0 deliveries' }, 'rejected'],
		],
	},
	{
		from: 'Issue 23 of this project: denials',
		says: [
			[{ status: 0, message: 'x' }, 'rejected'],
			[{ status: 'KO' }, 'rejected'],
			[{ status: 'expired' }, 'rejected'],
			[{ status: 'blocked' }, 'rejected'],
			[{ status: 'offline' }, 'rejected'],
			[{ status: 'not connected' }, 'rejected'],
			[{ status: 'send_failed' }, 'rejected'],
			[{ delivered: false }, 'rejected'],
			[{ isSuccess: false }, 'rejected'],
			[{ errorMessage: 'No such chat' }, 'rejected'],
			[{ messages: [{ status: 'failed' }] }, 'rejected'],
			[{ success: true, details: { success: false } }, 'rejected'],
			['Error: session not found', 'rejected'],
			['Message not sent', 'rejected'],
		],
	},
	{
		from: 'Issue 23 of this project: accepted messages',
		says: [
			[{ success: true, messageId: 'A', error: { code: 0, message: 'Success' } }, 'sent'],
			[{ messageId: 'A', error: 'OK' }, 'sent'],
			[{ success: true, queued: true, sent: false, messageId: 'A' }, 'deferred'],
			[{ status: 'in_queue', messageId: 'A' }, 'deferred'],
			[{ state: 'ENQUEUED' }, 'deferred'],
		],
	},
	{
		from: 'Issue 23 of this project: what cannot be understood',
		says: [
			['{"success":false,"mess', 'unknown'],
			['{"success":true,"messageId":"3EB0', 'unknown'],
			['We will get back to you', 'unknown'],
		],
	},
	{
		from: 'Issue 23 of this project: XML',
		type: 'application/xml',
		says: [
			['<response><status>error</status></response>', 'unknown'],
			['<?xml version="1.0"?><response><status>ok</status></response>', 'unknown'],
		],
	},
	{
		from: 'Like venom, wwebjs-api and WPPConnect: other words and fields for a denial',
		says: [
			[{ result: 'unable to send' }, 'rejected'],
			[{ status: 'NUMBER_NOT_REGISTERED' }, 'rejected'],
			[{ outcome: 'undelivered' }, 'rejected'],
			[{ state: 'rate limited' }, 'rejected'],
			[{ status: 'forbidden' }, 'rejected'],
			[{ deliveryStatus: 'UNDELIVERABLE' }, 'rejected'],
			[{ failedReason: 'No route' }, 'rejected'],
			[{ err: 'ECONN' }, 'rejected'],
			[{ exception: 'TypeError' }, 'rejected'],
			[{ hasError: true }, 'rejected'],
			[{ data: { error_code: 470 } }, 'rejected'],
			[{ connected: false }, 'rejected'],
			[{ exists: false, chatId: null }, 'rejected'],
			[{ message: 'Number is not registered on WhatsApp' }, 'rejected'],
			[{ message: 'invalid phone' }, 'rejected'],
			[{ status: 'fail', reason: 'x' }, 'rejected'],
			[{ status: 'notSent' }, 'rejected'],
			[{ code: -1, msg: 'x' }, 'rejected'],
			[{ success: true, data: '{"success":false,"error":"x"}' }, 'rejected'],
			[{ sent: [], failedNumbers: ['49151'] }, 'rejected'],
			[{ validationErrors: [{ field: 'chatId' }] }, 'rejected'],
			[{ status: 'throttled' }, 'rejected'],
			[{ state: 'CONFLICT' }, 'rejected'],
			[{ messageSent: false }, 'rejected'],
			['success: false', 'rejected'],
			[{ success: 'error' }, 'rejected'],
			[{ type: 'error', text: 'x' }, 'rejected'],
			['Session is not connected', 'rejected'],
			['KO', 'rejected'],
			['0', 'rejected'],
			['"failed"', 'rejected'],
		],
	},
	{
		from: 'Like wwebjs-api and Fonnte: other words and fields for success',
		says: [
			['OK', 'sent'],
			['Message sent', 'sent'],
			['success', 'sent'],
			['1', 'sent'],
			['true', 'sent'],
			[{}, 'sent'],
			[{ id: 7 }, 'sent'],
			[{ message: 'Done' }, 'sent'],
			[{ code: 0, msg: 'ok', data: { id: '1' } }, 'sent'],
			[{ code: 200, message: 'Message accepted' }, 'sent'],
			[{ status: 'Accepted' }, 'sent'],
			[{ status: 'berhasil' }, 'sent'],
			[{ status: 'sent', delivered: false, read: false, error: null, failed: 0 }, 'sent'],
			[{ messageId: 'A', status: 'sent', delivered: false, read: false }, 'sent'],
			[{ messageId: 'A', errorCode: 0, errorMessage: '' }, 'sent'],
			[{ messageId: 'A', status: 'on its way' }, 'sent'],
			[{ messageId: 'A', message: 'Your payment failed' }, 'sent'],
			[{ status: 'ok', hasError: false, errors: null, exception: null }, 'sent'],
			[{ chatId: '49151', text: 'Payment failed', type: 'text' }, 'sent'],
			[{ success: true, error: { code: 'OK', message: 'No error' } }, 'sent'],
			[{ status: 'Queued' }, 'deferred'],
			[{ success: true, message: 'Message has been queued' }, 'deferred'],
			[{ deliveryKey: 'k', status: 'DISCONNECTED' }, 'deferred'],
		],
	},
	{
		from: 'Like Chat-API: words that say neither',
		says: [
			[{ status: 'on its way' }, 'unknown'],
			[{ result: 'maybe' }, 'unknown'],
			[{ code: 'E1001' }, 'unknown'],
			[{ state: 'CONNECTED' }, 'unknown'],
			[{ status: 'timeout' }, 'unknown'],
			[{ status: '🚫' }, 'unknown'],
			[{ messageId: null }, 'unknown'],
			[{ success: true, status: 'DISCONNECTED' }, 'unknown'],
			[{ success: true, message: 'Message not sent' }, 'unknown'],
			[{ message: 'Your payment failed', phone: '49151' }, 'unknown'],
			[{ message: 'Message accepted, but the phone was not found' }, 'unknown'],
			['pong', 'unknown'],
			['{"success":true}{"success":true}', 'unknown'],
		],
	},
	{
		from: 'Like Baileys, WhatsApp Web and Puppeteer: the gateway did not wait for its own result',
		says: [
			[{ error: 'timeout' }, 'unknown'],
			[{ success: false, error: 'Timed Out' }, 'unknown'],
			[{ success: false, message: 'Error: Timed Out' }, 'unknown'],
			[{ error: { code: 'ETIMEDOUT', message: 'sendMessage failed' } }, 'unknown'],
			[
				{ status: 'error', message: 'TimeoutError: waiting failed: timeout 30000ms exceeded' },
				'unknown',
			],
			[{ messageId: 'A', status: 'sent', message: 'Timeout of the link: 1 h' }, 'sent'],
			[{ deliveryKey: 'k', error: 'timeout' }, 'deferred'],
			[{ error: 'rate_limit_exceeded', message: 'Timed out for 60 s' }, 'rejected'],
		],
	},
	{
		from: 'Like evolution-api: the same with an error status',
		status: 400,
		says: [
			[
				{ status: 400, error: 'Bad Request', response: { message: ['Error: Timed Out'] } },
				'unknown',
			],
			[
				{ status: 400, error: 'Bad Request', response: { message: ['Invalid number'] } },
				'rejected',
			],
			[{ error: 'validation_error', message: 'timeout must be a number' }, 'rejected'],
		],
	},
	{
		from: 'Like Baileys: the status of its own timeout',
		status: 408,
		says: [
			[{ error: 'Request Time-out' }, 'unknown'],
			['<html><body>408 Request Time-out</body></html>', 'rejected'],
		],
	},
	{
		from: 'Like a gateway that counts requests',
		status: 429,
		says: [[{ error: 'timeout', message: 'Timed out: too many requests' }, 'rejected']],
	},
	{
		from: 'The sandbox of this project',
		says: [
			[{ messageId: 'm-1', status: 'sent' }, 'sent'],
			[{ messageId: 'm-1', status: 'sent', duplicate: true }, 'duplicate'],
			[{ deliveryKey: 'k', status: 'deferred', error: 'session_not_online' }, 'deferred'],
		],
	},
	{
		from: 'Issue 23 of this project: deleting',
		to: 'deleted',
		says: [
			[{ deletedCount: 0 }, 'rejected'],
			[{ message: 'Delivery not found' }, 'rejected'],
		],
	},
	{
		from: 'Africa’s Talking and services like it: a list of recipients',
		to: 'sent',
		says: [
			[
				{
					SMSMessageData: {
						Message: 'Sent to 0/1 Total Cost: 0',
						Recipients: [{ statusCode: 403, status: 'InvalidPhoneNumber', messageId: 'None' }],
					},
				},
				'rejected',
			],
			[{ success: true, recipients: [{ number: '49', status: 'invalid_phone' }] }, 'rejected'],
			[{ contacts: [{ input: '+49151', status: 'invalid' }] }, 'rejected'],
			[{ messages: [{ id: 'wamid.A' }], contacts: [{ wa_id: '49', status: 'valid' }] }, 'sent'],
		],
	},
	{
		from: 'Vonage SMS API, response: the status is a code as text',
		says: [
			[
				{ 'message-count': '1', messages: [{ status: '0', 'message-id': '0C00', to: '49' }] },
				'sent',
			],
			[{ messages: [{ status: '2', 'error-text': 'Missing to param' }] }, 'rejected'],
			[
				{ messages: [{ status: '1', 'error-text': 'Throttled', 'message-id': '0C00' }] },
				'rejected',
			],
		],
	},
	{
		from: 'Like Vonage: a code of zeros confirms only as text, and a status only next to a message ID',
		says: [
			[{ status: '0' }, 'rejected'],
			[{ status: '0', messageId: null }, 'rejected'],
			[{ status: 0, messageId: 'A' }, 'rejected'],
			[{ success: '0', messageId: 'A' }, 'rejected'],
			[{ status: '0', messageId: 'A', error: 'no credit' }, 'rejected'],
			[{ code: '0', message: 'Gesendet' }, 'sent'],
			[{ code: 0, message: 'Gesendet' }, 'sent'],
		],
	},
	{
		from: 'Like a script that answers with a page',
		type: 'text/html',
		says: [
			['<html><body>Message queued</body></html>', 'unknown'],
			[`<html><head><style>${'p {} '.repeat(300)}</style></head>Message sent</html>`, 'unknown'],
			['<html><body>Message not sent</body></html>', 'rejected'],
			['<!doctype html><title>Sign in</title><p>Please sign in', 'rejected'],
		],
	},
	{
		from: 'Like a gateway whose proxy changes the status',
		to: 'sent',
		status: 400,
		says: [
			[{ success: true, messageId: 'A' }, 'unknown'],
			[{ status: 'queued', messageId: 'A' }, 'unknown'],
			[{ status: 'queued' }, 'unknown'],
			[{ deliveryKey: 'k', error: 'conflict' }, 'unknown'],
			[{ error: 'validation_error', messageId: 'A' }, 'rejected'],
			[{ error: 'no_credit', messageId: 'A' }, 'rejected'],
			[{ message: 'chatId is invalid', id: '0f8fad5b-d9cb-469f-a165-70867728950e' }, 'rejected'],
		],
	},
	{
		from: 'Like Viber, Hubtel, SMS Aero and Tencent: a status of 0 is no denial next to a success',
		says: [
			[{ status: 0, status_message: 'ok', message_token: 5741311803571721087 }, 'sent'],
			[{ messageId: 'A', status: 0, statusDescription: 'submitted successfully' }, 'sent'],
			[{ success: true, data: { id: 1, status: 0, extendStatus: 'queue' } }, 'deferred'],
			[{ success: true, data: { id: 1, status: 6, extendStatus: 'rejected' } }, 'rejected'],
			[{ result: 0, errmsg: 'OK', sid: 'x' }, 'sent'],
			[{ result: 1, errmsg: 'no package' }, 'rejected'],
			[{ status: 0, statusDescription: 'Kaputt' }, 'rejected'],
		],
	},
	{
		from: 'Like Taqnyat, WeCom, OVH, WATI and Aligo: who was accepted and who was not',
		says: [
			[{ statusCode: 201, messageId: 43, accepted: '[966,]', rejected: '[]' }, 'sent'],
			[{ statusCode: 201, messageId: 43, accepted: '[]', rejected: '[966,]' }, 'rejected'],
			[{ invalidReceivers: ['+33'], ids: [], validReceivers: [] }, 'rejected'],
			[{ result: true, validWhatsAppNumber: false }, 'unknown'],
			[{ result_code: '1', success_cnt: 0, error_cnt: 1 }, 'rejected'],
			[{ messageId: 'A', errors: '[]', hasErrors: 'N' }, 'sent'],
			[{ success: true, delivered: false }, 'sent'],
			[{ success: true, messageId: 'A', subscription: { status: 'expired' } }, 'sent'],
			[{ code: 1000, message: 'Success' }, 'sent'],
			[{ success: true, errorCode: 'ER-00', data: { MessageID: 3, Status: 'Queued' } }, 'deferred'],
		],
	},
	{
		from: 'Like SMSDev and Z-API, and others in other languages',
		says: [
			[{ situacao: 'OK', codigo: '1', descricao: 'MENSAGEM NA FILA' }, 'deferred'],
			[{ situacao: 'ERRO', codigo: '402', descricao: 'SEM SALDO DISPONIVEL' }, 'rejected'],
			[{ sucesso: false, mensagem: 'Instância desconectada' }, 'rejected'],
			[{ messageId: 'A', status: 'fehlgeschlagen' }, 'rejected'],
			[{ messageId: 'A', status: 'échoué' }, 'rejected'],
			[{ messageId: 'A', status: 'rechazado' }, 'rejected'],
			[{ messageId: 'A', status: 'başarısız' }, 'rejected'],
			[{ messageId: 'A', status: 'ошибка' }, 'rejected'],
			[{ messageId: 'A', status: '失败' }, 'rejected'],
			[{ errcode: 0, errmsg: '成功', data: { msgid: '1' } }, 'sent'],
			[{ messageId: 'A', errorMessage: 'Operación exitosa' }, 'sent'],
			[{ success: true, errorCode: 0, errorText: 'Успешно' }, 'sent'],
			[{ errorCode: 0, errorMessage: 'Kaputt' }, 'rejected'],
			[{ messageId: 'A', errorMessage: 'Kaputt' }, 'unknown'],
			[{ success: true, message: 'Nachricht konnte nicht gesendet werden' }, 'unknown'],
		],
	},
	{
		from: 'Like gateways that keep what they reject with a limit',
		status: 429,
		says: [
			[{ error: 'rate_limit_exceeded', message: 'Deferred until 18:00' }, 'unknown'],
			[{ error: 'rate_limit_exceeded', message: 'Your message has been deferred' }, 'unknown'],
			[{ message: 'The message will be sent when the limit resets' }, 'unknown'],
			[{ message: 'Limit reached: message queued' }, 'unknown'],
			[{ error: 'rate_limit_exceeded', scheduledAt: '2026-01-01T00:00:00Z' }, 'unknown'],
			[{ key: KEY, status: 'PENDING' }, 'unknown'],
		],
	},
	{
		from: 'Like puppeteer, Envoy and whatsmeow: a connection that was lost after the request',
		says: [
			[{ success: false, error: 'Protocol error: Target closed.' }, 'unknown'],
			[{ success: false, error: 'Execution context was destroyed' }, 'unknown'],
			[{ success: false, message: 'No response from phone' }, 'unknown'],
			[{ success: false, error: 'reset reason: connection termination' }, 'unknown'],
			[{ success: false, error: '502 Bad Gateway' }, 'unknown'],
			[{ success: false, status: 504 }, 'unknown'],
			[{ error: 'websocket disconnected before message send returned response' }, 'unknown'],
		],
	},
	{
		from: 'Like gateways that delete too late',
		to: 'deleted',
		says: [
			[{ success: true, message: 'Too late: the message was sent' }, 'unknown'],
			[{ message: 'Delivery is being sent' }, 'unknown'],
			[{ success: true, message: 'Delivery has already been sent' }, 'unknown'],
			[{ error: 'delivery_sent' }, 'rejected'],
			[{ code: 'DELIVERY_SENT' }, 'unknown'],
			[{ message: 'Only cancelled deliveries can be deleted' }, 'rejected'],
			[{ numDeleted: 0 }, 'rejected'],
		],
	},
	{
		from: 'Like gateways whose session goes on',
		to: 'terminated',
		says: [
			[{ success: true, status: 'ONLINE' }, 'unknown'],
			[{ success: true, session: { status: 'WORKING' } }, 'unknown'],
			[{ message: 'The session must be disconnected first' }, 'rejected'],
		],
	},
	{
		from: 'Like gateways that reject a message that they have: a limit',
		status: 429,
		says: [
			[{ error: 'rate_limit_exceeded' }, 'rejected'],
			[{ error: 'rate_limit_exceeded', message: 'Timeout: slow down' }, 'rejected'],
			[{ error: 'rate_limit_exceeded', message: '20 messages sent in a minute' }, 'rejected'],
			[{ error: 'Too many requests', message: 'You have sent too many messages' }, 'rejected'],
			[{ message: 'Daily limit of 1000 sent messages reached' }, 'rejected'],
			[{ message: 'Requests accepted per minute: 20' }, 'rejected'],
			[{ error: 'rate_limit_exceeded', queued: true }, 'unknown'],
			[{ error: 'rate_limit_exceeded', status: 'queued' }, 'unknown'],
			[{ error: 'rate_limit_exceeded', message: 'Message was queued' }, 'unknown'],
			[{ error: 'rate_limit_exceeded', success: true, messageId: 'A' }, 'unknown'],
			[{ sent: true, messageId: 'A' }, 'unknown'],
			[{ status: 'accepted' }, 'unknown'],
			[{ error: 'rate_limit_exceeded', details: { duplicate: true } }, 'unknown'],
		],
	},
	{
		from: 'Like gateways that reject a message that they have: with a status 2xx',
		says: [
			[{ success: true, messageId: 'A', error: 'rate_limit_exceeded' }, 'unknown'],
			[{ status: 'queued', code: 'rate_limit_exceeded' }, 'unknown'],
			[{ success: false, deliveryKey: 'k', error: 'invalid' }, 'unknown'],
			[{ success: false, deliveryKey: 'k' }, 'unknown'],
			[{ success: false, result: { delivery: { deliveryKey: 'k' } } }, 'unknown'],
			[{ success: false, queued: true }, 'unknown'],
			[{ success: false, duplicate: true, messageId: 'A' }, 'unknown'],
			[{ success: false, error: 'socket hang up' }, 'unknown'],
			[{ success: false, message: 'Message was sent, but the webhook failed' }, 'unknown'],
			[{ success: false, message: 'Message was not sent' }, 'rejected'],
		],
	},
	{
		from: 'Like gateways that reject a message that they have: closed',
		status: 503,
		says: [
			[{ error: 'maintenance' }, 'rejected'],
			[{ error: 'timeout' }, 'unknown'],
			[{ message: 'Message sent, but the database is down' }, 'unknown'],
			[{ status: 'queued', messageId: 'A', error: 'session_offline' }, 'unknown'],
			[{ status: 'accepted', id: 'x' }, 'unknown'],
		],
	},
	{
		from: 'Like gateways that reject a message that they have: the balance',
		status: 402,
		says: [
			[{ error: 'insufficient_balance' }, 'rejected'],
			[{ error: 'insufficient_balance', message: 'Request timed out' }, 'rejected'],
			[{ error: 'insufficient_balance', deliveryKey: 'k' }, 'unknown'],
			[{ error: 'insufficient_balance', queued: true }, 'unknown'],
		],
	},
	{
		from: 'Like gateways that reject a message that they have: the webhook',
		status: 400,
		says: [
			[{ message: 'Message was sent, but the webhook failed' }, 'unknown'],
			[{ error: 'Message sent, webhook failed' }, 'unknown'],
			[{ error: 'validation_error', message: 'Message sent twice is not allowed' }, 'rejected'],
			[{ error: 'validation_error', message: 'Your order was sent', to: '49151' }, 'rejected'],
			[{ error: 'socket hang up' }, 'unknown'],
			[{ message: 'context deadline exceeded' }, 'unknown'],
		],
	},
	{
		from: 'Like gateways that deny it in a text next to the recipient, or with a count',
		says: [
			[{ success: true, message: 'Number is not registered', number: '49151' }, 'unknown'],
			[{ success: true, message: 'No message was sent' }, 'unknown'],
			[{ success: true, message: 'Nothing has been sent' }, 'unknown'],
			[{ success: true, message: '0 messages sent' }, 'unknown'],
			[{ success: true, message: '0 of 1 sent' }, 'unknown'],
			[{ success: true, message: 'Message sent to 0 recipients' }, 'unknown'],
			[{ message: 'No message was sent' }, 'rejected'],
			[{ message: 'Message sent to 0 recipients' }, 'rejected'],
		],
	},
	{
		from: 'Like services that say it in a text, or repeat the text of the message',
		to: 'sent',
		says: [
			[{ message: 'Please upgrade your plan' }, 'rejected'],
			[{ message: 'Nachricht konnte nicht gesendet werden' }, 'rejected'],
			[{ reason: 'Your trial has ended' }, 'rejected'],
			[{ message: 'Nachricht nicht gesendet' }, 'rejected'],
			[{ message: 'Nachricht nicht gesendet', instance: 'a', queue: null }, 'rejected'],
			[{ info: 'Nachricht gesendet' }, 'sent'],
			[{ status: 'gesendet' }, 'sent'],
			[{ status: 'nicht gesendet' }, 'rejected'],
			[{ message: 'gesendet', messageId: 'A' }, 'sent'],
			[{ success: true, message: 'Nachricht gesendet' }, 'sent'],
			[{ message: 'Hallo', chatId: '49151' }, 'sent'],
			[{ message: 'Hallo', to: '49151', instance: 'a' }, 'sent'],
			[{ message: 'Recipient has opted out' }, 'rejected'],
			[{ ok: true, result: { message_id: 123, text: 'Your payment failed' } }, 'sent'],
			[{ success: true, result: { id: '3EB0A1', name: 'Full Moon Bar, not open' } }, 'sent'],
			[{ sendSuccess: false }, 'rejected'],
			[{ jobStatus: 'failed' }, 'rejected'],
			[{ success: true, skipped: true }, 'rejected'],
			[{ success: true, rejectReason: 'spam' }, 'rejected'],
			[{ messageId: 'A', status: 'suppressed' }, 'rejected'],
			[{ messageId: 'undefined' }, 'unknown'],
			[{ messageId: -1 }, 'unknown'],
			[{ messageId: '77', errorCode: 0, errorDescription: 'Accepted for delivery' }, 'sent'],
		],
	},
	{
		from: 'Like the drivers of MongoDB, Prisma and TypeORM: deleting',
		to: 'deleted',
		says: [
			[{ acknowledged: true, deletedCount: 1 }, 'done'],
			[{ acknowledged: true, deletedCount: 0 }, 'rejected'],
			[{ affected: 0, raw: [] }, 'rejected'],
			[{ affected: 1, raw: [] }, 'done'],
			[{ count: 0 }, 'rejected'],
			[{ count: 1 }, 'done'],
			[{ deleted: [] }, 'rejected'],
			[{ deleted: ['k'] }, 'done'],
			[{ deleted: 'k' }, 'done'],
			[{ removed: true }, 'done'],
			[{ status: 'deleted' }, 'done'],
			[{ status: 'cancelled' }, 'done'],
			[{ status: 'not_found' }, 'rejected'],
			[{ success: true, message: 'Delivery cancelled' }, 'done'],
			[{ deliveryKey: 'k', chatId: '49151', status: 'queued' }, 'done'],
			[{ message: 'Nothing to delete' }, 'rejected'],
			[{ n: 0, ok: 1 }, 'rejected'],
			[{ message: 'Delivery already sent' }, 'rejected'],
			[{ deliveryKey: 'k', status: 'sending' }, 'unknown'],
			[{ success: true, message: 'Cannot delete: message is being sent' }, 'unknown'],
			[{ success: true, deliveryKey: 'k', errorCount: 3 }, 'unknown'],
			[{ success: true, status: 'sent' }, 'unknown'],
			[{ deleted: true, delivery: { status: 'delivered' } }, 'unknown'],
			[{ success: true, message: '0 rows deleted' }, 'unknown'],
			[{ message: '0 rows deleted' }, 'rejected'],
			[{ acknowledged: true, modifiedCount: 0 }, 'rejected'],
			[{ notFound: true }, 'rejected'],
			[{ status: 'locked' }, 'unknown'],
			['Deleted', 'done'],
			['{"deleted":tr', 'unknown'],
			['', 'done'],
		],
	},
	{
		from: 'Like WAHA and Evolution API: starting',
		to: 'started',
		says: [
			[{ status: 'AWAITING_QR' }, 'done'],
			[{ status: 'ONLINE' }, 'done'],
			[{ success: true, status: 'DISCONNECTED' }, 'done'],
			[{ success: true, connected: false, qr: '2@abc' }, 'done'],
			[{ message: 'Session already started' }, 'done'],
			[{ status: 'already_connected' }, 'done'],
			[{ started: false }, 'rejected'],
			[{ message: 'Failed to start the session' }, 'rejected'],
			[{ status: 'not started' }, 'rejected'],
			[{ status: 'DISCONNECTED' }, 'unknown'],
			['starting', 'done'],
			['Please wait', 'unknown'],
		],
	},
	{
		from: 'Like WAHA and GREEN-API: refreshing',
		to: 'refreshed',
		says: [
			[{ status: 'restarting' }, 'done'],
			[{ refreshed: true, qr: null }, 'done'],
			[{ qrCode: '2@abc', expiresIn: 20 }, 'done'],
			[{ message: 'No session' }, 'rejected'],
			[{ restarted: false }, 'rejected'],
		],
	},
	{
		from: 'Like WAHA and WPPConnect: terminating',
		to: 'terminated',
		says: [
			[{ status: 'DISCONNECTED' }, 'done'],
			[{ success: true, status: 'DISCONNECTED', connected: false }, 'done'],
			[{ terminated: true }, 'done'],
			[{ status: 'not running' }, 'done'],
			[{ message: 'Session closed' }, 'done'],
			[{ message: 'Could not close the session' }, 'rejected'],
			[{ state: 'ONLINE' }, 'unknown'],
			[{ status: 'failed' }, 'rejected'],
		],
	},
	{
		from: 'Like services that deny it in other scripts, with a negation or a zero',
		says: [
			...[
				...[
					'Сообщение не отправлено',
					'发送不成功',
					'未发送成功',
					'لم ترسل بنجاح',
					'Aucun message envoyé',
				],
				...['Nenhuma mensagem enviada', 'Ningún mensaje enviado', 'Nessun messaggio inviato'],
				...['nichts gesendet'],
				...['Keine Nachricht gesendet', 'Rien envoyé', 'None sent', 'Zero messages sent'],
				...['0/1 sent'],
				...['success: 0', 'Success: 0, Failure: 1', 'Messages sent: 0', 'neither sent nor queued'],
			].map((message): [object, Meaning] => [{ message }, 'rejected']),
			[{ status: 'неуспешно' }, 'rejected'],
			...['실패', 'rejeitado', 'bloqueado', 'annulé', 'отклонено', 'エラー', 'فشل'].map(
				(status): [object, Meaning] => [{ messageId: HEX, status }, 'rejected'],
			),
			...[
				'Account on hold',
				'Down for scheduled maintenance',
				'Queue overflow',
				'Pending approval',
			].flatMap((text): Array<[object, Meaning]> => [
				[{ message: text }, 'unknown'],
				[{ status: text }, 'unknown'],
			]),
			[{ message: 'Сообщение успешно отправлено' }, 'sent'],
			[{ code: 0, message: '성공적으로 전송요청 하였습니다.' }, 'sent'],
			['发送成功', 'sent'],
		],
	},
	{
		from: 'Like services whose counters, job flags and side results are not about the message',
		says: [
			[
				{ status: 'success', data: { id: HEX, message_status_count: { failed: 0, sent: 0 } } },
				'sent',
			],
			[{ id: HEX, status: 'pending', done: false }, 'sent'],
			[{ success: true, messageId: 'A', completed: false }, 'sent'],
			[{ success: true, messageId: 'A', webhookResult: { success: false } }, 'sent'],
			[{ success: true, messageId: 'A', linkPreview: { error: 'x' } }, 'sent'],
			[{ success: true, messageId: 'A', usage: { sent: 0, limit: 100 } }, 'sent'],
			[{ status: '000', details: [{ destination: '34', status: '000' }] }, 'sent'],
			[{ status: '0', message: 'Success' }, 'sent'],
			[{ data: { status: '0' }, messageId: 'A' }, 'sent'],
			[{ error_code: 203 }, 'rejected'],
			[{ statusMsg: 'Failed' }, 'rejected'],
			[{ deliveryFailed: true }, 'rejected'],
			[{ success: true, limitReached: true }, 'rejected'],
			[
				{ id: HEX, recipients: { totalSentCount: 0, items: [{ status: 'delivery_failed' }] } },
				'rejected',
			],
			[{ data: { id: 'x', to: [{ status: 'sending_failed' }] } }, 'rejected'],
		],
	},
	...[400, 429, 503].map((status): Said => ({
		from: 'Like gateways that have the message, or whose browser or phone is lost',
		status,
		says: [
			...['Mensagem enviada. Limite atingido', 'SMS sent. You have reached your limit'],
			...['Message buffered'],
			...['Rate limit: we will send your message in 30 seconds', 'The message may have been sent'],
			...['Media sent but the thumbnail failed', 'Nachricht gesendet, aber nicht gespeichert'],
			...['Already sent'],
			...(status === 429
				? []
				: ['Connection was lost', 'EOF', 'fetch failed', 'broken pipe', 'Zeitüberschreitung']),
		].map((message): [object, Meaning] => [{ error: 'x', message }, 'unknown']),
	})),
	{
		from: 'Like limits that count messages',
		status: 429,
		says: [
			[{ error: 'rate_limit_exceeded', message: '20 messages sent in 1 minute' }, 'rejected'],
			[{ error: 'x', message: 'You have sent too many messages' }, 'rejected'],
		],
	},
	{
		from: 'Like gateways that could not delete a delivery, because it has left',
		to: 'deleted',
		says: [
			...[{ sent: true }, { sentAt: '2026-01-01T00:00:00Z' }, { state: 'in_progress' }].map(
				(more): [object, Meaning] => [{ success: true, ...more }, 'unknown'],
			),
			...['Delivery is on its way', 'Ya enviado', 'Bereits gesendet', 'Terkirim'].map(
				(message): [object, Meaning] => [{ message }, 'unknown'],
			),
			[{ message: 'Deleted: 0' }, 'rejected'],
			[{ message: 'None deleted' }, 'rejected'],
			[{ message: 'не найдено' }, 'rejected'],
			[{ message: 'Successfully deleted' }, 'done'],
		],
	},
	{
		from: 'Like gateways whose session is still online after its end',
		to: 'terminated',
		says: [
			[{ message: 'Session is still running' }, 'unknown'],
			[{ success: true, online: true }, 'unknown'],
			[{ message: '0 sessions terminated' }, 'rejected'],
		],
	},
	{
		from: 'Like services that return the row of a message that they will send',
		says: [
			...['created', 'accepted', 'processing', 'submitted'].map((status): [object, Meaning] => [
				{ id: 1, status, sent: false, delivered: false, error_message: null },
				'unknown',
			]),
			[{ status: 'ok', state: 'wait' }, 'sent'],
			[{ message: 'Mensagem agendada com sucesso' }, 'deferred'],
		],
	},
	{
		from: 'Like services that answer with a number, or with a value',
		says: [
			...[4, 30, 1704].map((code): [number, Meaning] => [code, 'unknown']),
			[17377, 'sent'],
			[{ value: false }, 'rejected'],
			[{ value: true }, 'sent'],
			[{ return: true, message: ['Message sent successfully to NonDND numbers'] }, 'sent'],
		],
	},
	{
		from: 'Like Z-API: a value',
		to: 'deleted',
		says: [
			[{ value: false }, 'rejected'],
			[{ value: true }, 'done'],
		],
	},
];
