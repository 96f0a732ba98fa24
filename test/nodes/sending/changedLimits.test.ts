import { start } from '../../harness/engine';
import { messages, pace, quiet, type Sending, sending, until } from '../../harness/messages';
import { useNewGateways } from '../../harness/sandboxAccount';
import { useVirtualTime } from '../../harness/virtualTime';

useVirtualTime();
const gateway = useNewGateways();

const CONTINUE = { onError: 'continueRegularOutput' } as const;

const NOBODY = { sendTo: 'nobody' };

/** The owner changes the credential after this many requests of the run. */
async function changedAfter(count: number, change: object, { account, ...job }: Sending) {
	const changing = { ...gateway.account, ...account };
	const execution = start(sending(gateway, { account: changing, ...job, settings: CONTINUE }));
	await until('the last request before', () => gateway.requests().length === count);
	Object.assign(changing, change);
	await quiet(60_000);
	return await execution.outcome;
}

test('a message that was not sent because a live run became a rehearsal is marked', async () => {
	const { items } = await changedAfter(1, NOBODY, { items: messages(3), options: pace(6) });
	const details = { cause: 'rehearsal', retry: 'never', isTest: true };
	expect(items.map(({ json }) => json.details)).toEqual([undefined, details, details]);
});

const failed = (error: string) => ['sent', 'sent', ...Array<string>(4).fill(error)];
const NOT_ALLOWED = 'The credential does not allow messages to this recipient';
const OTHER = failed('The account of the credential has changed during the run')
	.with(0, 'redirected')
	.with(1, 'redirected');
/** The new limits belong to the new account, so they say nothing about the old one. */
const ONE = { sendTo: 'testNumber', testRecipient: messages(1)[0]!.json.to };
const ANYONE = { sendTo: 'anyone' };

test.each<[string, object, object, unknown[]]>([
	['Nobody', {}, NOBODY, failed('The request was not sent, because this is a rehearsal')],
	[
		'Allowed Recipients Only',
		{},
		{ sendTo: 'allowed', allowedRecipients: messages(4)[3]!.json.to },
		['sent', 'sent', NOT_ALLOWED, 'sent', NOT_ALLOWED, NOT_ALLOWED],
	],
	['another token', ONE, { ...ANYONE, token: 'another-token' }, OTHER],
	['another secret', ONE, { ...ANYONE, secret: 'another-secret' }, OTHER],
	['another base URL', ONE, { ...ANYONE, baseUrl: 'http://127.0.0.1:9' }, OTHER],
	['no secret', {}, { secret: '' }, failed("'Secret' of the credential is empty")],
])('a run that has begun follows a change to %s', async (_name, before, after, expected) => {
	const account = { ...gateway.account, ...before };
	const job = { account, items: messages(6), options: pace(23) };
	const { items } = await changedAfter(2, after, job);
	const said = items.map(({ json }) => json.outcome ?? (json.error as string).split(' [')[0]);
	expect(said).toEqual(expected);
});

test('a live run that Nobody ends does not say that nothing was sent, and a text that has begun fails', async () => {
	const fields = { text: 'Paragraph of words.\n\n'.repeat(12) };
	const options = { ...pace(6), splitLongText: 100 };
	const { items: output, hints } = await changedAfter(1, NOBODY, { fields, options });
	expect(gateway.requests()).toHaveLength(1);
	expect(output[0]!.json.error).toMatch(/; part 2 failed, 1 of \d+ parts were sent/);
	// A part has arrived, so this was no test.
	expect(output[0]!.json.details).toEqual({ cause: 'rehearsal', retry: 'check' });
	expect(JSON.stringify(hints)).not.toContain('nothing was sent');
});

test('a request that waits for the account follows a change to Nobody', async () => {
	const account = { ...gateway.account };
	const session = (operation: string) =>
		start({ account, parameters: { resource: 'session', operation }, settings: CONTINUE });
	gateway.faults([{ status: 429, retryAfter: 240, times: 1 }]);
	await session('status').outcome;
	const { outcome } = session('terminate');
	await quiet(1_000);
	Object.assign(account, NOBODY);
	await quiet(60_000);
	expect((await outcome).items.map(({ json }) => json.outcome)).toEqual(['rehearsed']);
	expect(gateway.requests().map(({ method }) => method)).toEqual(['GET']);
});

test('a request that is signed again after a late 401 follows a change to Nobody', async () => {
	const date = new Date(Date.now() + 3_600_000).toUTCString();
	gateway.faults([{ status: 401, latencyMs: 12_000, headers: { Date: date }, times: 1 }]);
	const { items } = await changedAfter(1, NOBODY, {});
	expect(items[0]!.json.outcome).not.toBe('sent');
	expect(gateway.requests()).toHaveLength(1);
});
