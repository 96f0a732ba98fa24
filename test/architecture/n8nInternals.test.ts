import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { read, root } from './repository';

const installed = JSON.parse(read('dev/live/package.json')) as { dependencies: { n8n: string } };
const FOLDER = 'nodes/MessagingGateway/n8n';

test.each(readdirSync(join(root, FOLDER)))(
	'%s says which versions need it, and was checked with the n8n that is installed',
	(file) => {
		const [, head = ''] = /^\/\*\*([^]*?)\*\//.exec(read(join(FOLDER, file))) ?? [];
		for (const part of ['Versions: ', "n8n's issue", 'If n8n changes: ']) {
			expect(head).toContain(part);
		}
		// Look at it again with the new version, as it says, then write that version here.
		expect(head).toContain(`Checked with n8n ${installed.dependencies.n8n}.`);
	},
);
