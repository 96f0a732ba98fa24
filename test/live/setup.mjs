import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startRegularMode } from '../../dev/live/modes/regularMode.mjs';
import { defaultHome } from '../../dev/live/workspace/paths.mjs';
import { signIn } from './session.mjs';

/** Starts a new n8n for all tests, with its own folder and ports, so that it does not affect `npm start`. */
export default async function setUp() {
	const screenshots = join(defaultHome, 'screenshots');
	rmSync(screenshots, { recursive: true, force: true });
	mkdirSync(screenshots, { recursive: true });

	const folder = mkdtempSync(join(tmpdir(), 'messaging-gateway-live-'));
	const live = await startRegularMode({
		home: folder,
		ports: { n8n: 15_678, sandbox: 13_021 },
	});
	globalThis.live = { ...live, folder };
	process.env.LIVE = JSON.stringify({
		urls: live.urls,
		owner: live.owner,
		entryKeys: live.entryKeys,
		cookie: await signIn(live.urls.n8n, live.owner),
		account: live.account,
		controlKey: live.controlKey,
		credential: live.credential,
		workflows: live.workflows,
		browserProfile: join(folder, 'browser'),
		screenshots,
	});
}
