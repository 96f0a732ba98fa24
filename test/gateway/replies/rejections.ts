import { errorMessage } from '../../../gateway/errors/errorMessage';
import { rejection } from '../../../gateway/replies/failure';
import { readResponse } from '../../../gateway/wire/response';
import { unredacted } from '../../harness/responses';

/** Keeps as many rejected responses as a long run does. Run by a test in a process with little memory. */
const MEGABYTE = 1024 * 1024;
const long = (start: string) => start.padEnd(MEGABYTE, 'lorem ipsum ');

const BODIES: Record<string, () => string> = {
	'a long message': () => JSON.stringify({ error: 'validation_error', message: long('Invalid.') }),
	'a stack trace': () =>
		JSON.stringify({
			trace: long('at x'),
			error: { code: 'validation_error', message: 'Invalid' },
		}),
	'many fields': () =>
		JSON.stringify({
			data: Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`field${at}`, at])),
			error: 'validation_error',
			message: 'Invalid',
		}),
	'a list': () =>
		JSON.stringify({
			errors: Array.from({ length: 40_000 }, (_, at) => ({ path: `body.${at}` })),
			error: 'validation_error',
			message: 'Invalid',
		}),
	'a web page': () => long('<!doctype html><title>Bad Gateway</title>'),
	text: () => long('Bad Gateway '),
	// Small, but in memory an empty object takes twenty times its text.
	'empty objects': () =>
		JSON.stringify({
			error: 'validation_error',
			message: 'Invalid',
			errors: Array(5_000).fill({}),
		}),
};

const body = BODIES[process.argv[2]!]!;
const kept = Array.from({ length: Number(process.argv[3]) }, () =>
	rejection(
		readResponse(
			{
				status: 422,
				headers: {},
				bytes: Buffer.from(body()),
			},
			unredacted,
		),
	),
);
process.stdout.write(JSON.stringify(errorMessage(kept.at(-1)!)));
