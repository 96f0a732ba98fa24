import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Settings } from 'luxon';

// n8n-core reads these while it loads. They keep it away from the developer's own n8n, and silent.
process.env.N8N_USER_FOLDER = mkdtempSync(join(tmpdir(), 'messaging-gateway-test-'));
process.env.N8N_LOG_LEVEL = 'silent';

// The simulations set these, and the test files of a worker share the library.
Settings.now = () => Date.now();
Settings.defaultZone = 'system';
