import { RateLimiter } from '../../../nodes/MessagingGateway/sending/rateLimiter';

test('the limit of an account is free, limited, probing and recovering in turn', () => {
	const limiter = new RateLimiter(() => 0);
	const permit = limiter.start(0);
	expect(limiter.state(0)).toBe('free');
	const waitMs = limiter.onRateLimited(permit, 10, 60_000, 500);
	expect(waitMs).toBe(500);
	expect(limiter.state(10)).toBe('limited');
	expect(limiter.state(509)).toBe('limited');
	expect(limiter.state(510)).toBe('probing');
	const probe = limiter.start(510);
	// The next message waits for the response to this one.
	expect(limiter.notBefore).toBe(5_510);
	limiter.onAccepted(probe, 530);
	expect(limiter.state(530)).toBe('recovering');
	expect(limiter.interval(530)).toBeGreaterThan(0);
	// After a minute without messages, the limit is forgotten.
	limiter.start(120_000);
	expect(limiter.state(120_000)).toBe('free');
});
