import { InvalidInput } from '../../gateway/invalidInput';

/** Words that n8n's guidelines keep out of what a user reads. */
export const UNWANTED_WORDS = /\b(errors?|problems?|failures?|mistakes?)\b/i;

/** What a person is told when `attempt` refuses what they entered; a TypeError is no such thing. */
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
	throw new Error(`expected a refusal, got ${JSON.stringify(outcome)}`);
}
