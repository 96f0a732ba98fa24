import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import type { DeliveredMessage } from './messages';

interface SendMessage {
	chat_id: string;
	text: string;
}

/** Responds to `sendMessage` like Telegram's API. `/reset` and `/delivered` are for the benchmark. */
export async function startTelegramStub(): Promise<string> {
	let latencyMs = 0;
	let delivered: DeliveredMessage[] = [];

	const handlers: Record<string, (request: IncomingMessage) => Promise<unknown>> = {
		async sendMessage(request) {
			const { chat_id: chatId, text } = (await json(request)) as SendMessage;
			delivered.push({ chatId, text });
			const result = {
				message_id: delivered.length,
				chat: { id: Number(chatId), type: 'private' },
				date: Math.floor(Date.now() / 1000),
				text,
			};
			if (latencyMs > 0) await delay(latencyMs);
			return { ok: true, result };
		},
		async reset(request) {
			delivered = [];
			({ latencyMs } = (await json(request)) as { latencyMs: number });
			return {};
		},
		delivered: async () => ({ delivered }),
	};

	const server = createServer((request, response) => {
		const name = request.url!.split('/').at(-1)!;
		void handlers[name]!(request).then((body) => {
			response.setHeader('Content-Type', 'application/json');
			response.end(JSON.stringify(body));
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
