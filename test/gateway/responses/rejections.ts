import { errorMessage } from '../../../gateway/failures/errorMessage';
import { failureInResponse } from '../../../gateway/responses/responseFailure';
import { response } from '../../harness/responses';

/** Keeps as many rejected responses as a long run does. Run by a test in a process with little memory. */
const long = (start: string) => start.padEnd(2 ** 20, 'lorem ipsum ');
const invalid = (more: object) =>
	JSON.stringify({ ...more, error: 'validation_error', message: 'Invalid' });

const BODIES: Record<string, () => string> = {
	'a long message': () => JSON.stringify({ error: 'validation_error', message: long('Invalid.') }),
	'a list': () =>
		invalid({ errors: Array.from({ length: 40_000 }, (_, at) => ({ path: `body.${at}` })) }),
	'a web page': () => long('<!doctype html><title>Bad Gateway</title>'),
	// Small, but in memory an empty object takes twenty times its text.
	'empty objects': () => invalid({ errors: Array(5_000).fill({}) }),
};

const body = BODIES[process.argv[2]!]!;
const kept = Array.from({ length: Number(process.argv[3]) }, () =>
	failureInResponse(response(body(), {}, 422)),
);
process.stdout.write(JSON.stringify(errorMessage(kept.at(-1)!)));
