import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { defaultHome } from '../../live/workspace/paths.mjs';

export default async function tearDown() {
	for (const [at, { folder, stop }] of globalThis.started.entries()) {
		await stop();
		const log = join(defaultHome, 'screenshots', `n8n-${at + 1}.log`);
		copyFileSync(join(folder, 'logs', 'n8n.log'), log);
		rmSync(folder, { recursive: true, force: true });
	}
}
