import { createRequire } from 'node:module';

import { BinaryDataService } from 'n8n-core';
import { Expression, type ICredentialType, type INodeType } from 'n8n-workflow';

import { type Outcome, run, type RunOptions } from '../test/engine';

const load = createRequire(__filename);
const loadAsN8n = createRequire(load.resolve('n8n-core'));

interface Container {
	get<Service>(service: new (...given: never[]) => Service): Service;
}
const { Container } = loadAsN8n('@n8n/di') as { Container: Container };
const { GlobalConfig } = loadAsN8n('@n8n/config') as {
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
 * As n8n does when it starts. Its isolate has no binary for Node below 24; expressions then run without
 * one, which takes less time, so the results say how they ran.
 */
export async function startExpressions(): Promise<'vm' | 'quickjs' | 'legacy'> {
	try {
		await Expression.initExpressionEngine(Container.get(GlobalConfig).expressionEngine);
	} catch {
		Expression.setExpressionEngine('legacy');
	}
	return Expression.getActiveImplementation();
}

/** Files on the disk, n8n's default. */
export async function startFiles(): Promise<BinaryDataService> {
	const files = Container.get(BinaryDataService);
	await files.init();
	return files;
}

/** Runs a node with the built credential; what does not go well is no measurement. */
export async function execute(options: RunOptions): Promise<Outcome> {
	const outcome = await run({ credentialType: new built.MessagingGatewayApi(), ...options });
	if (outcome.error) throw new Error(outcome.error.message);
	return outcome;
}
