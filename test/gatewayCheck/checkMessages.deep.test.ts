import { check, delivered, sandbox, start } from './run';

const NUMBER = '+44 7700 900123';

test('says before each message what it sends, and sends it only if the user agrees', async () => {
	const { baseUrl } = await start();
	const refused = await check(baseUrl, [NUMBER, 'n', '', 'no']);
	expect(refused.output).toContain('Next message to 447700900123: "Check 1: a message."\nSend it?');
	expect(delivered()).toEqual([]);
	expect(refused.answer('response to a message')).toBe('Not checked: you chose not to send it.');
	expect(refused.answer('how many messages')).toBe('Not checked: you allowed no messages.');

	// Message, delivery window, the same key twice, how many arrived, no burst of messages, no lookups.
	const { output, report, answer, differs } = await check(baseUrl, [
		...[NUMBER, 'y', 'y', 'y', 'y', '1', '0', 'n'],
	]);
	const to = '447700900123';
	expect(delivered()).toEqual([
		{ chatId: to, text: 'Check 1: a message.' },
		{ chatId: to, text: 'Check 2: with a delivery window of 10 minutes.' },
		{ chatId: to, text: 'Check 3: sent twice with one idempotency key.' },
	]);
	expect(output.match(/Next message to 447700900123: /g)).toHaveLength(4);
	expect(answer('response to a message')).toBe('200, read as: sent.');
	expect(answer('idempotency key it knows')).toBe(
		'The second response is 200, read as: duplicate. 1 arrived.',
	);
	expect(differs('idempotency key it knows')).toBe(false);
	expect(answer('delivery window while the session is online')).toBe('200, read as: sent.');
	expect(report).not.toMatch(/7700|900123|Check \d: /);
	expect(report).toContain('"chatId": "<digits, 12 characters>"');
});

test('asks again after a typo, and Enter keeps the default', async () => {
	const { baseUrl } = await start();
	const input = [
		...['n', '0151 23456789', NUMBER, 'maybe', 'ja', 'n', 'n'],
		...['Y', 'yes', 'two', '3', ''],
		...['y', '101', '-1', '2.5', '2', 'x', 'no'],
	];
	const { answer, output } = await check(baseUrl, input);
	expect(output.match(/not a number with its country code/g)).toHaveLength(2);
	expect(output.match(/Enter y for yes, or n for no\./g)).toHaveLength(3);
	expect(output.match(/Enter 0, 1 or 2, or nothing if you do not know\./g)).toHaveLength(2);
	expect(output.match(/Enter a whole number from 0 to 100\./g)).toHaveLength(4);
	expect(answer('idempotency key it knows')).toMatch(/Not known how many arrived\.$/);
	expect(delivered()).toHaveLength(3);
});

test('a check of which you send only a part is not checked, and says what was sent', async () => {
	const { baseUrl } = await start();
	const { answer, output } = await check(baseUrl, [NUMBER, 'n', 'n', 'y', 'n', '0', 'n']);
	const result = 'Not checked: you sent only the first of two messages (200, read as: sent).';
	expect(answer('idempotency key it knows')).toBe(result);
	expect(output).toContain(result);
	expect(delivered()).toHaveLength(1);
});

test('finds the limits of lookups and messages, and waits as Retry-After says', async () => {
	const { baseUrl } = await start();
	sandbox.faults([
		{ endpoint: 'sendMessage', perMinute: 1, burst: 3, status: 429, retryAfter: 0 },
		// The steps about signature and timestamp use 8 of them.
		{ endpoint: 'inviteInfo', perMinute: 1, burst: 20, status: 429 },
	]);
	const { answer, output } = await check(baseUrl, [NUMBER, 'n', 'n', 'n', '10', 'y']);
	expect(answer('how many messages')).toMatch(
		/^3 in \d+\.\d s were accepted, then a 429 with Retry-After: 0 s\. After that time, the next one was rejected again\.$/,
	);
	expect(output).toContain('Sends: Check 4: message 4.');
	expect(answer('how many lookups')).toMatch(
		/^12 in \d+\.\d s were accepted, then a 429 without Retry-After\.$/,
	);
});

test('defers a message while the session is offline, then deletes it', async () => {
	const { baseUrl } = await start();
	sandbox.setStatus('DISCONNECTED');
	const { answer, differs, output } = await check(baseUrl, [NUMBER, 'y', 'y', 'n']);
	expect(output).toContain('The session is offline, so messages are rejected or deferred.');
	expect(answer('while the session is offline')).toBe('409, read as: rejected.');
	expect(answer('delivery window while the session is offline')).toBe(
		'202, read as: deferred. Get: 200. Delete: 200.',
	);
	expect(differs('delivery window')).toBe(false);
	for (const question of ['idempotency key it knows', 'how many messages']) {
		expect(answer(question)).toBe('Not checked: the session is offline.');
	}
	expect(sandbox.state()).toMatchObject({ delivered: [], deferred: [] });
});
