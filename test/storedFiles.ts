import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';

import { type BinaryData, BinaryDataConfig, BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';

// n8n's own container: which one that is, n8n-core knows.
const load = createRequire(__filename);
const { Container } = createRequire(load.resolve('n8n-core'))('@n8n/di') as {
	Container: { get<Service>(service: abstract new (...given: never[]) => Service): Service };
};

export type BinaryMode = 'default' | 'filesystem' | 'database';

/** Where n8n keeps files; for the rest of the test file, or until another mode is chosen. */
export async function keepFilesIn(mode: BinaryMode): Promise<void> {
	Container.get(BinaryDataConfig).mode = mode;
	const service = Container.get(BinaryDataService);
	await service.init();
	service.setManager('database', database());
}

export async function storedFile(bytes: Buffer, about: Partial<IBinaryData>): Promise<IBinaryData> {
	const location = { type: 'execution', workflowId: 'workflow', executionId: '1' } as const;
	const file = { mimeType: 'application/octet-stream', ...about, data: '' };
	return await Container.get(BinaryDataService).store(location, bytes, file);
}

/** Called with each file that is loaded, whatever the mode. No mock of Jest: those keep what they return. */
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

/** n8n's manager for this mode is part of its server and wants a real database: this is its table, in memory. */
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
