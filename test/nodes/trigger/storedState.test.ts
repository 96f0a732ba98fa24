import { createHash } from 'node:crypto';

import { storedState } from '../../../nodes/MessagingGateway/trigger/storedState';
import { Polling } from '../../harness/polling';
import { useNewGateways } from '../../harness/sandboxAccount';

const gateway = useNewGateways();

/** The digest in the stored state. */
async function storedScope(secret: string): Promise<string> {
	const trigger = new Polling({ ...gateway.account, secret }, { event: 'statusChanged' });
	await trigger.start();
	const { state } = Object.values(
		JSON.parse(trigger.saved) as Record<string, { state: string }>,
	)[0]!;
	return (JSON.parse(state) as { scope: string }).scope;
}

// Otherwise all tokens of six digits could be tried in a second.
test('the stored state does not allow guessing the token', async () => {
	const { baseUrl, token, secret } = gateway.account;
	const scope = await storedScope(secret);
	expect(await storedScope(secret)).toBe(scope);
	expect(await storedScope('another secret')).not.toBe(scope);
	const query = [{}, undefined].map((value) =>
		JSON.stringify([`${token}@${baseUrl}`, 'statusChanged', value]),
	);
	const digests = query.map((text) =>
		createHash('sha256').update(text).digest('base64url').slice(0, 16),
	);
	expect(digests).not.toContain(scope);
});

test('an unchanged state is not written again, because n8n takes every write for a change', () => {
	let writes = 0;
	const data = new Proxy<Record<string, never>>(
		{},
		{ set: (target, name, value) => ((writes += 1), Reflect.set(target, name, value)) },
	);
	storedState(data, 'scope').store({ status: 'ONLINE' });
	storedState(data, 'scope').store({ status: 'ONLINE' });
	expect(writes).toBe(1);
	storedState(data, 'scope').store({ status: 'OFFLINE' });
	expect(writes).toBe(2);
});
