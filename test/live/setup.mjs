import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installAll } from '../../live/installation.mjs';
import { home } from '../../live/places.mjs';
import { start } from '../../live/start.mjs';

/** One fresh n8n for all tests, away from the one of `npm start` and from its ports. */
export default async function setUp() {
	await installAll();
	const screenshots = join(home, 'screenshots');
	rmSync(screenshots, { recursive: true, force: true });
	mkdirSync(screenshots, { recursive: true });

	const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-live-'));
	const live = await start({ home: folder, ports: { n8n: 15_678, sandbox: 13_021 } });
	globalThis.live = { ...live, folder };
	process.env.LIVE = JSON.stringify({
		urls: live.urls,
		owner: live.owner,
		account: live.account,
		credential: live.credential,
		workflows: live.workflows,
		screenshots,
	});
}
