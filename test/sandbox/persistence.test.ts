import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

import { startSandbox } from '../../dev/sandbox/sandbox';
import { post, textTo } from '../harness/client';
import { emptyFolder, KEYS } from '../harness/sandboxProgram';

const SEND = 'sendMessage';

let stateFile: string;
const start = async () => await startSandbox({ ...KEYS, stateFile });

beforeEach(() => {
	stateFile = join(emptyFolder(), 'state.jsonl');
});

it('restores the complete state after a sandbox that was killed while it wrote a line', async () => {
	const before = await start();
	before.setStatus('ONLINE');
	const message = { ...textTo('4915112345678', 'Grüße\n👋'), idempotencyKey: 'a' };
	const sent = await post(before, SEND, message);
	before.setStatus('DISCONNECTED');
	await post(before, SEND, { ...textTo('4915112345678', 'b'), windowMs: 60_000 });
	const state = before.state();
	appendFileSync(stateFile, '{"event":"delivered","message":{"messageId":"3EB0","chatId":"49');

	const after = await start();
	expect(after.state()).toEqual(state);
	expect((await post(after, SEND, message)).json).toEqual({ ...sent.json, duplicate: true });
	after.setStatus('ONLINE');
	expect(after.state().delivered).toHaveLength(2);
	await after.close();
	await before.close();
});
