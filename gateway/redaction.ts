/** Shorter ones would blot out parts of numbers and words that have nothing to do with the token. */
const SHORTEST = 6;

/** Takes the token, raw or URL-encoded, and the secret out of everything that leaves the node. */
export function redactor(secrets: string[]): <T>(value: T) => T {
	const hidden = [...new Set(secrets.flatMap((secret) => [secret, encoded(secret)]))].filter(
		(secret) => secret.length >= SHORTEST,
	);
	const inText = (text: string) =>
		hidden.reduce((clean, secret) => clean.replaceAll(secret, '***'), text);
	const redact = (value: unknown): unknown => {
		if (typeof value === 'string') return inText(value);
		if (Array.isArray(value)) return value.map(redact);
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(
			Object.entries(value).map(([name, member]) => [inText(name), redact(member)]),
		);
	};
	return <T>(value: T) => redact(value) as T;
}

function encoded(secret: string): string {
	try {
		return encodeURIComponent(secret);
	} catch {
		return secret;
	}
}
