/** What `setup.mjs` has started. See live/modes/regularMode.mjs. */
export interface Live {
	urls: { n8n: string; sandbox: string; phone: string };
	owner: { email: string; password: string };
	/** The owner's session. */
	cookie: string;
	/** What protects the example workflows. See live/n8n/entryKeys.mjs. */
	entryKeys: { user: string; password: string; token: string; secret: string };
	account: { baseUrl: string; token: string; secret: string };
	/** Of the sandbox. */
	controlKey: string;
	credential: { id: string; name: string };
	/** The id in n8n of each example workflow, by file name. */
	workflows: Record<string, string>;
	/** A folder that git ignores. */
	screenshots: string;
}

const { LIVE = '[]', JEST_WORKER_ID = '1' } = process.env;
const all = JSON.parse(LIVE) as Live[];

/** Of this worker of Jest, because tests of one file change what those of another look at. */
export const live = all[(Number(JEST_WORKER_ID) - 1) % all.length] ?? ({} as Live);
