import { errorText, GATEWAY_ROWS } from '../../../gateway/errors/errorCatalog';

// Each can be a wrong Base URL or a setting of the gateway, so whoever tests a credential needs to know what to check.
test.each([
	...(['refused', 'hostName', 'dns', 'certificate', 'tls', 'noConnection'] as const),
	...(['timeout', 'tooLarge', 'unreachable', 'disconnected', 'noStatus'] as const),
])('the dialog of the credential says what to do about %s', (cause) => {
	const { description } = errorText(GATEWAY_ROWS, cause, true);
	expect(description).toMatch(/^(Check|Fix|If|Reading)/);
	expect(description).not.toContain('unknown whether');
});
