// What the editor asks n8n for, asked the same way.
const HEADERS = {
	'content-type': 'application/json',
	'browser-id': 'npm start',
	// n8n closes an idle one after five seconds, and that may be the moment at which it is used again.
	connection: 'close',
};

/** The editor's calls for this person, or undefined as long as n8n does not let anybody in. */
export async function signIn(url, { email, password }) {
	return await enter(url, '/login', { emailOrLdapLoginId: email, password });
}

/** The same for the first person who opens an n8n, and becomes its owner. */
export async function setUp(url, { email, password }) {
	const name = { firstName: 'Sandbox', lastName: 'Owner' };
	return await enter(url, '/owner/setup', { email, password, ...name });
}

async function enter(url, door, body) {
	try {
		const response = await fetch(`${url}/rest${door}`, {
			method: 'POST',
			headers: HEADERS,
			body: JSON.stringify(body),
		});
		const cookie = response.headers.getSetCookie().map((line) => line.split(';')[0]);
		// While it starts, n8n answers everything with 200 and a page that says so.
		if (cookie.length === 0) return undefined;
		return { call: (method, path, body) => call(url, cookie.join('; '), method, path, body) };
	} catch {
		return undefined;
	}
}

/** What n8n answers, or undefined for what it does not have. */
async function call(url, cookie, method, path, body) {
	const response = await fetch(`${url}/rest${path}`, {
		method,
		headers: { ...HEADERS, cookie },
		body: body && JSON.stringify(body),
	});
	if (response.status === 404) return undefined;
	const text = await response.text();
	if (!response.ok)
		throw new Error(`n8n answered ${response.status} to ${method} ${path}: ${text}`);
	return JSON.parse(text).data;
}
