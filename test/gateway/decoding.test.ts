import fc from 'fast-check';

import { errorMessage, failureDetails } from '../../gateway/failures/errorMessage';
import { noQrCodeText, offlineText } from '../../gateway/failures/sessionTexts';
import { notUsable } from '../../gateway/responses/failure';
import { failureInResponse, unclear } from '../../gateway/responses/responseFailure';
import { judged } from '../../gateway/responses/outcome';
import { printableText } from '../../gateway/decoding';
import { anyCharacter } from '../harness/anyText';
import { depth, seedFrom } from '../harness/depth';
import { response } from '../harness/responses';

test.each([
	['\x1b]0;title\x07done', ' ]0;title done'],
	['one\r\n\ttwo', 'one two'],
	['a\u202eb\u2066c\u200fd\u2028e\x9bf\u00a0g\u3164h\u200bi\u2800j', 'a b c d e f g h i j'],
	['می\u200cخواهم ❤\ufe0f 👨\u200d👩\u200d👧', 'می\u200cخواهم ❤\ufe0f 👨\u200d👩\u200d👧'],
	['¿Qué? 你好 שלום', '¿Qué? 你好 שלום'],
])('%j is shown as %j', (text, shown) => {
	expect(printableText(text)).toBe(shown);
});

const UNSAFE = /(?![\u200c\u200d\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

test('no error message has a text of the gateway as it is', () => {
	const text = fc.string({
		unit: fc.oneof(
			fc.constantFrom('\x1b]0;title\x07', '\x9b2J', '\u202e', '\u2028', '\n', '\u200f', '\0'),
			anyCharacter,
		),
		maxLength: 6,
	});
	const name = fc.constantFrom('error', 'code', 'message', 'status', 'detail', 'data', 'result');
	const body = fc.oneof(
		text,
		fc.dictionary(name, text).map((value) => JSON.stringify(value)),
		fc.record({ data: fc.dictionary(name, text) }).map((value) => JSON.stringify(value)),
	);
	const status = fc.constantFrom(200, 302, 400, 401, 404, 409, 422, 429, 500, 503);
	const headers = fc.dictionary(fc.constantFrom('location', 'retry-after', 'content-type'), text);
	const property = fc.property(body, status, headers, text, (content, code, more, word) => {
		const received = response(content, more, code);
		const result = judged(received, { confirmation: 'sent' });
		const failures = [
			'failure' in result ? result.failure : failureInResponse(received),
			unclear(received, 'noEvidence', { field: word, value: word }, `sent: ${word} = x`),
			notUsable(offlineText(word)).failure,
			notUsable(noQrCodeText(word, 5)).failure,
		];
		const shown = failures.map((failure) => {
			const { message, description } = errorMessage(failure);
			return [message, description, ...Object.values(failureDetails({ failure }))].join('');
		});
		expect(shown.join('')).not.toMatch(UNSAFE);
	});
	fc.assert(property, { numRuns: depth(500, 50_000), seed: seedFrom('SHOWN_SEED') });
});
