import type { INode } from 'n8n-workflow';

import { rejection } from '../../../gateway/replies/failure';
import { readResponse } from '../../../gateway/wire/response';
import { toNodeError } from '../../../nodes/MessagingGateway/request/nodeError';

afterEach(() => jest.useRealTimers());

test('a long run after a 401 does not look like a wrong clock', () => {
	jest.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') });
	const failure = rejection(
		readResponse(
			{
				status: 401,
				headers: { Date: 'Sun, 01 Mar 2026 12:00:00 GMT' },
				bytes: Buffer.from('{"error":"invalid_signature"}'),
			},
			(value) => value,
		),
	);
	jest.advanceTimersByTime(600_000);
	const error = toNodeError({ name: 'Messaging Gateway' } as INode, { failure });
	expect(error.message).toBe('The gateway did not accept the signature (401, invalid_signature)');
	expect(error.description).not.toContain('The clock of this n8n');
});
