import { readConfigureGlobal } from 'fast-check';

test('random tests have a fixed seed, so that a failure comes from the change', () => {
	expect(readConfigureGlobal().seed).toBe(1);
});
