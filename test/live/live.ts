/** What `setup.mjs` has started: see live/start.mjs. */
export interface Live {
	urls: { n8n: string; sandbox: string; phone: string };
	owner: { email: string; password: string };
	account: { baseUrl: string; token: string; secret: string };
	credential: { id: string; name: string };
	/** The example workflows: from the file's name to the id in n8n. */
	workflows: Record<string, string>;
	/** A folder that git ignores. */
	screenshots: string;
}

export const live = JSON.parse(process.env.LIVE ?? '{}') as Live;
