/**
 * Signs in and returns the cookie, for all tests: n8n accepts five logins per minute. Sends no browser ID, which would bind the
 * session to one browser.
 */
export async function signIn(url, { email, password }) {
	const response = await fetch(`${url}/rest/login`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ emailOrLdapLoginId: email, password }),
	});
	if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
	return response.headers
		.getSetCookie()
		.map((line) => line.split(';')[0])
		.join('; ');
}
