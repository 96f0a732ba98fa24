import { createHmac } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { post, textTo } from '../harness/client';
import type { Fields } from '../harness/exampleCode';
import type { Gateway } from '../harness/sandboxAccount';
import { SECRET } from './exampleNodes';
import type { ExampleRun } from './runExample';
import type { Tables } from './tables';

export const PHONE = '+44 7700 900123';

export interface Journey extends Partial<Pick<ExampleRun, 'items' | 'activate' | 'values'>> {
	trigger?: string;
	prepare?: (tables: Tables) => unknown;
	/** Answers the question of an execution that waits. */
	answers?: Fields;
	/** Whether nothing of it reaches a person with any credential. */
	isHarmless?: boolean;
	/** Whether it changes what One Test Number does not redirect: the session, or deferred deliveries. */
	isNoMessage?: boolean;
}

const form = (fields: IDataObject) => [{ json: { ...fields, headers: { 'x-auth-token': 'x' } } }];
function upload() {
	const csv = `name;phone\nAda;${PHONE}\nGrace;none`;
	const data = { data: Buffer.from(csv).toString('base64'), mimeType: 'text/csv' };
	return form({ formMode: 'production' }).map((item) => ({ ...item, binary: { data } }));
}
const ASKING = ['May I write?', 'Count message'];

function crmEvent() {
	const webhookUrl = 'https://n8n.example.com/webhook/crm-event';
	const body = { eventId: 7, properties: { firstname: 'Ada', phone: PHONE, amount: '2.50' } };
	const text = JSON.stringify(body);
	const time = String(Date.now());
	const signature = createHmac('sha256', SECRET).update(`POST${webhookUrl}${text}${time}`);
	const headers = {
		'x-hubspot-request-timestamp': time,
		'x-hubspot-signature-v3': signature.digest('base64'),
	};
	const data = { data: Buffer.from(text).toString('base64'), mimeType: 'application/json' };
	return [{ json: { webhookUrl, headers, body }, binary: { data } }];
}
const OPENED = { executionMode: 'test', webhookUrl: '' };
const JSON_TYPE = { 'content-type': 'application/json' };

const order = (recipient: string, fields: IDataObject = {}) => ({
	...{ requestId: '', recipient, text: 'Hello', status: 'pending', attempts: 0, reason: '' },
	...{ nextAttemptAt: new Date(0).toISOString(), person: recipient, sentAt: null, ...fields },
});
const SPRING = {
	...{ name: 'Spring', status: 'running', run: '7', timezone: 'UTC', weekdays: '1,2,3,4,5,6,7' },
	...{ windowFrom: '00:00', windowTo: '00:00', maxPerPerson: 2, perDays: 7, sender: 'A' },
};
export const TOKEN = 'a'.repeat(32);
const ofSpring = { campaign: 'Spring', run: '7', token: TOKEN, number: '' };
/** Two orders, a message of a campaign, and the numbers for trying branches. */
export const OUTBOX = [
	...[order('447700900123'), order('+44 7700 900124'), order('447700900125', ofSpring)],
	...[1, 2, 3, 4].map((digit) => order(`44770090000${digit}`)),
];

export const deferOne = async (gateway: Gateway) => {
	gateway.setStatus('DISCONNECTED');
	await post(gateway.account, 'sendMessage', { ...textTo('447700900123', 'Later'), windowMs: 9e7 });
};
const delivery = {
	...{ chatId: '447700900123', text: 'Later', createdAt: '2026-01-01T00:00:00Z' },
	...{ settledAt: '2026-01-01T01:00:00Z', expiresAt: '2026-01-02T00:00:00Z' },
};
export const link = () => {
	const signature = createHmac('sha256', 'key').update(`opt-out 1 ${TOKEN}`).digest('hex');
	const query = { c: '1', t: TOKEN, s: signature.slice(0, 32) };
	return [{ json: { query, headers: {} } }];
};
const prepareOptOut = (tables: Tables) => {
	tables.insert('Messaging keys', { name: 'opt-out links', key: 'key' });
	tables.insert('Messaging campaigns', SPRING);
};

const startsAt = new Date(Math.ceil(Date.now() / 3_600_000 + 24) * 3_600_000);
const prepareAppointment = (tables: Tables) => {
	tables.insert('Messaging keys', { name: 'appointment links', key: 'key' });
	const appointment = { name: 'Ada', phone: PHONE, title: 'Visit', status: 'booked' };
	tables.insert('Messaging appointments', { ...appointment, startsAt: startsAt.toISOString() });
};
function answerToAppointment() {
	const t = startsAt.getTime() / 60_000;
	const signature = createHmac('sha256', 'key').update(`appointment 1 ${t}`).digest('hex');
	const query = { a: '1', t: String(t), s: signature.slice(0, 32) };
	return [{ json: { query, headers: {}, body: { answer: 'coming' } } }];
}

/** How each example is run. */
export const journeysAt = (gateway: Gateway): Record<string, () => Journey> => ({
	'1-form-to-message': () => ({
		trigger: 'Form',
		items: form({ name: 'Ada', phone: PHONE, message: 'Hello' }),
		activate: ASKING,
	}),
	'2-crm-webhook-to-message': () => ({ trigger: 'CRM event', items: crmEvent(), activate: ASKING }),
	'3-pair-a-phone': () => ({
		trigger: 'Open the page',
		items: [{ json: { ...OPENED, query: {}, headers: { 'sec-fetch-site': 'none' } } }],
		prepare: () => gateway.setStatus('DISCONNECTED'),
		isNoMessage: true,
	}),
	'4-bulk-send-from-csv': () => ({ activate: ASKING }),
	'5-image-and-invoice': () => ({}),
	'6-cancel-old-deferred-deliveries': () => ({
		prepare: async () => await deferOne(gateway),
		values: { 'Maximum age': { hours: -1 } },
		isNoMessage: true,
	}),
	'8-new-endpoint': () => ({
		values: { Settings: { baseUrl: gateway.account.baseUrl } },
		isHarmless: true,
	}),
	'9a-offline-alert': () => ({
		trigger: 'Offline for 10 minutes',
		items: [{ json: { status: 'DISCONNECTED', minutes: 10, offlineSince: delivery.createdAt } }],
		isHarmless: true,
	}),
	'9b-deferred-message-sent': () => ({
		trigger: 'Deferred delivery settled',
		items: [{ json: delivery }],
	}),
	'9c-unknown-alert': () => ({
		activate: ['Message'],
		values: { Settings: { minutes: -1 } },
		prepare: (tables) => tables.insert('Messaging outbox', order('447700900123')),
	}),
	'10-approval': () => ({
		trigger: 'Form',
		items: form({ name: 'Ada', phone: PHONE, customer: 'Grace', discount: 10, reason: 'Loyal' }),
		activate: ASKING,
		answers: { approved: true },
	}),
	'11-outbox-in': () => ({
		trigger: 'Request',
		items: [{ json: { headers: JSON_TYPE, body: { to: PHONE, text: 'Hello' } } }],
		activate: ['May I write?'],
		isHarmless: true,
	}),
	'11-outbox-send': () => ({
		prepare(tables) {
			tables.insert('Messaging campaigns', SPRING);
			tables.insert('Messaging outbox', ...OUTBOX);
		},
	}),
	'12-defer-a-message': () => ({}),
	// The sample list has 202 rows.
	'13-campaign-prepare': () => ({
		...{ trigger: 'Upload', activate: ['Upload'], items: upload() },
		values: { Settings: { sender: 'Example Ltd', contact: 'hello@example.com' } },
		isHarmless: true,
	}),
	'13-campaign-manage': () => ({
		values: { Choice: { name: 'Spring', action: 'Start', draft: '7' } },
		prepare(tables) {
			tables.insert('Messaging campaigns', { ...SPRING, status: 'draft' });
			tables.insert('Messaging outbox', order('447700900125', { ...ofSpring, status: 'draft' }));
		},
		isHarmless: true,
	}),
	'13-campaign-opt-out': () => ({
		trigger: 'Link opened',
		items: link(),
		prepare: prepareOptOut,
		isHarmless: true,
	}),
	'14-rehearse': () => ({}),
	'15-may-i-write': () => ({ isHarmless: true }),
	'16-forget-a-person': () => ({ isHarmless: true }),
	'17-appointments-page': () => ({
		trigger: 'Answer pressed',
		items: answerToAppointment(),
		prepare: prepareAppointment,
		isHarmless: true,
	}),
	'17-appointments-remind': () => ({ prepare: prepareAppointment, isHarmless: true }),
});
