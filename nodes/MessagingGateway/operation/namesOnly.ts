import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isObject } from '../../../gateway/json';
import { namesOf } from '../../../gateway/wire/guard';
import { isModelCall } from '../n8n/toolCalls';
import { CREDENTIAL } from '../request/account';
import { itemIndexes } from './item';

type Hide = <T>(data: T) => T;

/** Runs an operation. If a model calls it with a credential that has names, no result contains the digits of a recipient. */
export async function withNamesOnly(
	context: IExecuteFunctions,
	run: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	if (!isModelCall(context)) return await run();
	const ofItems = itemIndexes(context).map(async (index) =>
		namesOf(await context.getCredentials(CREDENTIAL, index)),
	);
	// The run itself fails if the credential cannot be read.
	const names = await Promise.all(ofItems).catch(() => []);
	const hide: Hide = (data) => names.reduce((shown, each) => each?.hide(shown) ?? shown, data);
	try {
		const items = await run();
		return items.map(({ json, error, ...item }) => ({
			...item,
			...(error && { error: withHidden(error, hide) }),
			json: hide(json),
		}));
	} catch (thrown) {
		throw withHidden(thrown as Error, hide);
	}
}

/** Changes all texts of an error, because n8n stores its stack and its causes, too. */
function withHidden<E extends Error>(error: E, hide: Hide): E {
	for (const name of Object.getOwnPropertyNames(error)) {
		const own = error as unknown as Record<string, unknown>;
		const value = own[name];
		if (value instanceof Error) withHidden(value, hide);
		else if (
			name !== 'node' &&
			(typeof value === 'string' || Array.isArray(value) || isObject(value))
		)
			own[name] = hide(value);
	}
	return error;
}
