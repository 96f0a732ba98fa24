import { endpoints, signatureRule } from '../../../gateway/wire/endpoints';
import { endpoints as sandboxEndpoints } from '../../../dev/sandbox/api/endpoints';
import { DOCUMENTED_ENDPOINTS } from '../../harness/apiDocument';

/** The API document, row by row. */
const DOCUMENTED = DOCUMENTED_ENDPOINTS.map(
	({ method, path, signed }) => [method, `/api/whatsapp/{token}${path}`, signed] as const,
);

test('the endpoints are exactly those of the API document', () => {
	const known = Object.values(endpoints).map(({ method, path, signed }) => [method, path, signed]);
	expect(known.sort()).toEqual([...DOCUMENTED].sort());
});

test('the sandbox has the same endpoints, under the same names', () => {
	const inSandbox = Object.entries(sandboxEndpoints).map(([name, { method, path, signed }]) => [
		name,
		{ method, path: `/api/whatsapp/{token}${path}`, signed },
	]);
	expect(Object.fromEntries(inSandbox)).toEqual(endpoints);
});

describe('signing of a request', () => {
	test.each([
		['GET', '/api/whatsapp/tok-123/unknown'],
		['GET', '/api/whatsapp/tok-123/sendMessage'],
		['POST', '/api/whatsapp/tok-123/deferred'],
	])('%s %s: always, because it is not documented', (method, path) => {
		expect(signatureRule(method, path)).toBe('yes');
	});
});
