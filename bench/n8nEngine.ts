import { createRequire } from 'node:module';

import { BinaryDataService } from 'n8n-core';
import { Expression, type ICredentialType, type INodeType } from 'n8n-workflow';

import { type Outcome, run, type RunOptions } from '../test/harness/engine';

const load = createRequire(__filename);
const loadFromN8nCore = createRequire(load.resolve('n8n-core'));

interface Container {
	get<Service>(service: new (...given: never[]) => Service): Service;
}
const { Container } = loadFromN8nCore('@n8n/di') as { Container: Container };
const { GlobalConfig } = loadFromN8nCore('@n8n/config') as {
	GlobalConfig: new () => {
		expressionEngine: Parameters<typeof Expression.initExpressionEngine>[0];
	};
};

/** The package as it is published. */
export const built = load('..') as {
	MessagingGateway: new () => INodeType;
	MessagingGatewayTrigger: new () => INodeType;
	MessagingGatewayApi: new () => ICredentialType;
};

/**
 * Starts n8n's expression engine, as n8n does. Its isolate has no binary for Node.js below 24. Expressions then run
 * without an isolate, which is faster, so the results report which implementation ran.
 */
export async function startExpressions(): Promise<'vm' | 'quickjs' | 'legacy'> {
	try {
		await Expression.initExpressionEngine(Container.get(GlobalConfig).expressionEngine);
	} catch {
		Expression.setExpressionEngine('legacy');
	}
	return Expression.getActiveImplementation();
}

/** Stores files on disk, n8n's default. */
export async function startFileStorage(): Promise<BinaryDataService> {
	const files = Container.get(BinaryDataService);
	await files.init();
	return files;
}

/** Runs a node with the built credential. Throws on failure, because a failed run is not a valid measurement. */
export async function execute(options: RunOptions): Promise<Outcome> {
	const outcome = await run({ credentialType: new built.MessagingGatewayApi(), ...options });
	if (outcome.error) throw new Error(outcome.error.message);
	return outcome;
}
