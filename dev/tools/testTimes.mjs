// `node dev/tools/testTimes.mjs`: measures how long each test file of `npm test` takes, for the order in which Jest starts them. Keep the
// machine idle meanwhile.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ensureInstalled, root } from './install.mjs';
import { jest } from './jest.mjs';

ensureInstalled();
const { files, failed } = await jest(['--silent']);
// Files that take less come last anyway.
const slow = files.filter(({ seconds }) => seconds >= 1);
const times = Object.fromEntries(slow.map(({ path, seconds }) => [path, Math.round(seconds)]));
if (failed > 0) process.exitCode = 1;
else writeFileSync(join(root, 'test/times.json'), `${JSON.stringify(times, null, '\t')}\n`);
