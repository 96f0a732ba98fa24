import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { defaultHome } from '../../dev/live/workspace/paths.mjs';

export default async function tearDown() {
	const { folder, stop } = globalThis.live;
	await stop();
	copyFileSync(join(folder, 'logs', 'n8n.log'), join(defaultHome, 'screenshots', 'n8n.log'));
	rmSync(folder, { recursive: true, force: true });
}
