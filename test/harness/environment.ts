import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type * as Common from '@n8n/backend-common';
import { Settings } from 'luxon';

// n8n-core reads these while it loads. They keep it away from the developer's own n8n, and silent.
process.env.N8N_USER_FOLDER = mkdtempSync(join(tmpdir(), 'messaging-gateway-test-'));
process.env.N8N_LOG_LEVEL = 'silent';

// The simulations set these, and the test files of a worker share the library.
Settings.now = () => Date.now();
Settings.defaultZone = 'system';

const { Logger } = jest.requireActual<typeof Common>('@n8n/backend-common');
// Although it prints nothing, it finds out who has called it: a twentieth of the time of a workflow.
Object.assign(Logger.prototype, { log: () => undefined });
