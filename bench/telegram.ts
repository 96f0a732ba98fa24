import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

import type { Arrived } from './messages';

interface SendMessage {
	chat_id: string;
	text: string;
}

/** Answers `sendMessage` as Telegram's API does. `/begin` and `/delivered` are for the bench. */
export async function startTelegram(): Promise<string> {
	let latencyMs = 0;
	let delivered: Arrived[] = [];

	const answers: Record<string, (request: IncomingMessage) => Promise<unknown>> = {
		async sendMessage(request) {
			const { chat_id: chatId, text } = (await json(request)) as SendMessage;
			delivered.push({ chatId, text });
			const result = {
				message_id: delivered.length,
				chat: { id: Number(chatId), type: 'private' },
				date: Math.floor(Date.now() / 1000),
				text,
			};
			if (latencyMs > 0) await pause(latencyMs);
			return { ok: true, result };
		},
		async begin(request) {
			delivered = [];
			({ latencyMs } = (await json(request)) as { latencyMs: number });
			return {};
		},
		delivered: async () => ({ delivered }),
	};

	const server = createServer((request, response) => {
		const name = request.url!.split('/').at(-1)!;
		void answers[name]!(request).then((answer) => {
			response.setHeader('Content-Type', 'application/json');
			response.end(JSON.stringify(answer));
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
