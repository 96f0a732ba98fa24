import { RateLimiter } from '../../../gateway/rateLimiter';
import { Turns } from '../../../gateway/turns';
import { RunPace } from '../../../nodes/MessagingGateway/sending/runPace';
import { VirtualClock } from '../../harness/virtualClock';

test('the hint about the rate limit counts no time after the end of the run', async () => {
	const clock = new VirtualClock();
	const turns = new Turns(new RateLimiter());
	const pace = new RunPace({ intervalMs: 0, jitter: 0 }, clock, turns);
	const waiter = { pace, since: 0, wake: () => {}, wakeShortly: () => {} };
	for (const waitMs of [0, 10_000]) {
		const ticket = turns.start(waiter, clock.now());
		turns.finish(ticket, clock.now(), { kind: 'limited', waitMs, isAnnounced: true });
		pace.backOff({ kind: 'noResponse', code: '' }, 60_000);
	}
	// Now the run waits for 20 s, and is stopped after 3 s.
	await clock.advance(3_000);
	pace.leave();
	expect(pace.hint).toContain('about 3.0 s longer');
});
