import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';

import { type BinaryData, BinaryDataConfig, BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';

// Resolved from n8n-core, so that this is the container that n8n-core itself uses.
const load = createRequire(__filename);
const { Container } = createRequire(load.resolve('n8n-core'))('@n8n/di') as {
	Container: { get<Service>(service: abstract new (...given: never[]) => Service): Service };
};

export type BinaryMode = 'default' | 'filesystem' | 'database';

/** Sets where n8n stores files, for the rest of the test file or until the next call. */
export async function keepFilesIn(mode: BinaryMode): Promise<void> {
	Container.get(BinaryDataConfig).mode = mode;
	const service = Container.get(BinaryDataService);
	await service.init();
	service.setManager('database', database());
}

// The test files of a worker share n8n.
// The benchmark uses this module without Jest.
if (typeof afterAll === 'function') afterAll(async () => await keepFilesIn('default'));

export async function storedFile(
	bytes: Buffer,
	metadata: Partial<IBinaryData>,
): Promise<IBinaryData> {
	const location = { type: 'execution', workflowId: 'workflow', executionId: '1' } as const;
	const file = { mimeType: 'application/octet-stream', ...metadata, data: '' };
	return await Container.get(BinaryDataService).store(location, bytes, file);
}

/** Calls `loaded` with every file that n8n loads, in any mode. Not a Jest mock: mocks keep their return values in memory. */
export function onLoad(loaded: (bytes: Buffer) => void): void {
	const service = Container.get(BinaryDataService);
	service.getAsBuffer = async function (file) {
		const bytes = await BinaryDataService.prototype.getAsBuffer.call(service, file);
		loaded(bytes);
		return bytes;
	};
}

export function ignoreLoads(): void {
	const service: Partial<BinaryDataService> = Container.get(BinaryDataService);
	delete service.getAsBuffer;
}

/** An in-memory table. n8n's own manager for this mode is part of its server and needs a database. */
function database(): BinaryData.Manager {
	const table = new Map<string, { bytes: Buffer; metadata: BinaryData.Metadata }>();
	const manager: Partial<BinaryData.Manager> = {
		async store(_location, bytes, metadata) {
			const fileId = randomUUID();
			const fileSize = (bytes as Buffer).length;
			table.set(fileId, { bytes: bytes as Buffer, metadata: { ...metadata, fileSize } });
			return { fileId, fileSize };
		},
		getAsBuffer: async (fileId) => Buffer.from(table.get(fileId)!.bytes),
		getMetadata: async (fileId) => table.get(fileId)!.metadata,
	};
	return manager as BinaryData.Manager;
}
