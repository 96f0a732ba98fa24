/** What `setup.mjs` has started. See dev/live/modes/regularMode.mjs. */
export interface Live {
	urls: { n8n: string; sandbox: string; phone: string };
	owner: { email: string; password: string };
	/** The owner's session. */
	cookie: string;
	/** What protects the example workflows. See dev/live/n8n/entryKeys.mjs. */
	entryKeys: { user: string; password: string; token: string; secret: string };
	account: { baseUrl: string; token: string; secret: string };
	/** Of the sandbox. */
	controlKey: string;
	credential: { id: string; name: string };
	/** The id in n8n of each example workflow, by file name. */
	workflows: Record<string, string>;
	/** A folder. */
	browserProfile: string;
	/** A folder that git ignores. */
	screenshots: string;
}

export const live = JSON.parse(process.env.LIVE ?? '{}') as Live;
