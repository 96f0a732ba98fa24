// The REST API that n8n's editor uses.
const HEADERS = {
	'content-type': 'application/json',
	'browser-id': 'npm start',
	// n8n closes idle connections after five seconds, possibly just as fetch reuses one.
	connection: 'close',
};

/**
 * @typedef {{ email: string, password: string }} Login
 * @typedef {object} EditorApi
 * @property {(method: string, path: string, body?: unknown) => Promise<unknown>} call
 *   Resolves to the data of the response, or to undefined for a 404.
 */

/**
 * Resolves to undefined while n8n does not accept logins.
 * @param {string} url
 * @param {Login} login
 */
export async function signIn(url, { email, password }) {
	return await logIn(url, '/login', { emailOrLdapLoginId: email, password });
}

/**
 * Creates the owner of an n8n that has none, and signs in. Resolves to undefined while n8n does not accept logins.
 * @param {string} url
 * @param {Login} login
 */
export async function setUpOwner(url, { email, password }) {
	const name = { firstName: 'Sandbox', lastName: 'Owner' };
	return await logIn(url, '/owner/setup', { email, password, ...name });
}

/**
 * @param {string} url
 * @param {string} path
 * @param {unknown} body
 * @returns {Promise<EditorApi | undefined>}
 */
async function logIn(url, path, body) {
	try {
		const response = await fetch(`${url}/rest${path}`, {
			method: 'POST',
			headers: HEADERS,
			body: JSON.stringify(body),
		});
		const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]);
		// While n8n starts, it responds to every request with 200 and a "starting up" page.
		if (cookies.length === 0) return undefined;
		const cookie = cookies.join('; ');
		return { call: (...request) => call(url, cookie, ...request) };
	} catch {
		return undefined;
	}
}

/**
 * @param {string} url
 * @param {string} cookie
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 */
async function call(url, cookie, method, path, body) {
	const response = await fetch(`${url}/rest${path}`, {
		method,
		headers: { ...HEADERS, cookie },
		body: body === undefined ? undefined : JSON.stringify(body),
	});
	if (response.status === 404) return undefined;
	if (!response.ok) {
		const text = await response.text();
		throw new Error(`n8n responded ${response.status} to ${method} ${path}: ${text}`);
	}
	/** @type {unknown} */
	const content = await response.json();
	return /** @type {{ data: unknown }} */ (content).data;
}
