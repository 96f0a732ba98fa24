import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { defaultHome } from '../../dev/live/workspace/paths.mjs';

export default async function tearDown() {
	const { home, programs } = globalThis.compat;
	await Promise.all(programs.map((program) => program.stop()));
	const { version } = JSON.parse(process.env.LIVE).n8n;
	cpSync(join(home, 'logs'), join(defaultHome, 'compat', version), { recursive: true });
	rmSync(home, { recursive: true, force: true });
}
