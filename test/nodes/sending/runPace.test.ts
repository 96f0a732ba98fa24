import { RateLimiter } from '../../../gateway/rateLimiter';
import { Turns } from '../../../gateway/turns';
import { RunPace } from '../../../nodes/MessagingGateway/sending/runPace';
import { VirtualClock } from '../../harness/virtualClock';

function newRun() {
	const clock = new VirtualClock();
	const turns = new Turns(new RateLimiter());
	const pace = new RunPace({ intervalMs: 0, jitter: 0 }, clock, turns);
	const waiter = { pace, since: 0, wake: () => {}, wakeShortly: () => {} };
	/** A message gets a 429. */
	const reject = (waitMs: number) => {
		const ticket = turns.start(waiter, clock.now());
		turns.finish(ticket, clock.now(), { kind: 'limited', waitMs, isAnnounced: true });
		pace.backOff({ kind: 'noResponse', code: '' }, 60_000);
	};
	return { clock, pace, reject };
}

test('the hint about the rate limit counts no time after the end of the run', async () => {
	const { clock, pace, reject } = newRun();
	reject(0);
	await clock.advance(1);
	reject(10_000);
	// Now the run waits for 20 s, and is stopped after 3 s.
	await clock.advance(3_000);
	pace.leave();
	expect(pace.hint).toContain('about 3.0 s longer');
});

test('a 429 minutes after the others is a first one, after which the run waits no longer than announced', async () => {
	const { clock, pace, reject } = newRun();
	for (let times = 0; times < 3; times++) {
		await clock.advance(2_000);
		reject(1_000);
	}
	expect(pace.notBefore).toBe(clock.now() + 4_000);
	await clock.advance(120_000);
	reject(1_000);
	expect(pace.notBefore).toBeLessThan(clock.now());
});
