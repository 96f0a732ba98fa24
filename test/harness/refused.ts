import { InvalidInput } from '../../gateway/inputValues';

/** Words that n8n's guidelines disallow in texts for the user. */
export const UNWANTED_WORDS = /\b(errors?|problems?|failures?|mistakes?)\b/i;

/** The InvalidInput that `attempt` throws. Any other exception is a bug and is thrown again. */
export function refused(attempt: () => unknown): InvalidInput {
	let outcome: unknown;
	try {
		outcome = attempt();
	} catch (thrown) {
		if (!(thrown instanceof InvalidInput)) throw thrown;
		expect(thrown.message).not.toMatch(UNWANTED_WORDS);
		expect(thrown.description).not.toMatch(UNWANTED_WORDS);
		expect(thrown.message).not.toBe('');
		expect(thrown.description).not.toBe('');
		return thrown;
	}
	throw new Error(`expected InvalidInput, got ${JSON.stringify(outcome)}`);
}
