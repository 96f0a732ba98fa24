import type { INodeProperties } from 'n8n-workflow';

import { endpoints } from '../../../gateway/endpoints';
import { plainItems, reading } from '../items';
import { operationPicker, route } from '../routes';
import * as pair from './pair.operation';
import * as qr from './qr.operation';
import * as qrImage from './qrImage.operation';
import * as status from './status.operation';
import * as waitUntilOnline from './waitUntilOnline.operation';
import * as withDeletion from './withDeletion';

export const properties: INodeProperties[] = [
	operationPicker(
		'session',
		[
			{
				name: 'Get QR Code',
				value: 'qr',
				action: 'Get QR code of session',
				description:
					'Get the text of the QR code that pairs the phone, and a picture of it that is drawn here',
				routing: route(endpoints.qr, { after: qr.read }),
			},
			{
				name: 'Get QR Image',
				value: 'qrImage',
				action: 'Get QR image of session',
				description: 'Get the QR code that pairs the phone as the picture that the gateway draws',
				routing: route(endpoints.qrImage, { after: qrImage.read }),
			},
			{
				name: 'Get Status',
				value: 'status',
				action: 'Get status of session',
				description:
					'Get whether the session is ready to send (ONLINE), waits for a scan (AWAITING_QR), is offline (DISCONNECTED), or was logged out (AUTH_FAILURE)',
				routing: route(endpoints.status, { after: status.read }),
			},
			{
				name: 'Pair',
				value: 'pair',
				action: 'Pair phone with session',
				description:
					'Start the session if needed, wait for a QR code, and put it out as text and picture at once; or tell that the session is online already',
				routing: { operations: { pagination: pair.run } },
			},
			{
				name: 'Ping',
				value: 'ping',
				action: 'Ping gateway',
				description: 'Check that the gateway answers and knows the token; the secret is not used',
				routing: route(endpoints.ping, { after: reading(plainItems) }),
			},
			{
				name: 'Refresh',
				value: 'refresh',
				action: 'Refresh session',
				description: 'Restart a stale session',
				routing: route(endpoints.refresh, {
					before: withDeletion.send,
					after: reading(plainItems),
				}),
			},
			{
				name: 'Start',
				value: 'start',
				action: 'Start session',
				description: 'Start the session, the first step of pairing a phone',
				routing: route(endpoints.start, { after: reading(plainItems) }),
			},
			{
				name: 'Terminate',
				value: 'terminate',
				action: 'Terminate session',
				description: 'End the session, e.g. before a new start when it is broken or logged out',
				routing: route(endpoints.terminate, {
					before: withDeletion.send,
					after: reading(plainItems),
				}),
			},
			{
				name: 'Wait Until Online',
				value: 'waitUntilOnline',
				action: 'Wait until session is online',
				description:
					'Ask for the status again and again until the session is ready to send, e.g. because somebody has scanned the QR code',
				routing: { operations: { pagination: waitUntilOnline.run } },
			},
		],
		'status',
	),
	...pair.properties,
	...qr.properties,
	...qrImage.properties,
	...waitUntilOnline.properties,
	...withDeletion.properties,
];
