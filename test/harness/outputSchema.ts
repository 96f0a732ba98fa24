import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { INodeExecutionData } from 'n8n-workflow';

/** The keywords that the schemas use. */
export interface Schema {
	type?: string | string[];
	description?: string;
	enum?: unknown[];
	required?: string[];
	properties?: Record<string, Schema>;
	items?: Schema;
}

const file = join(__dirname, '../../nodes/MessagingGateway/outputSchemas.json');
const entries = JSON.parse(readFileSync(file, 'utf8')) as Record<
	string,
	Schema & { $ref?: string }
>;

/** By `resource/operation`, as the build writes them. */
export const SCHEMAS = Object.fromEntries(
	Object.entries(entries).map(([name, schema]) => [name, entries[schema.$ref ?? name] as Schema]),
);

const typeOf = (value: unknown): string => {
	if (value === null) return 'null';
	if (Number.isInteger(value)) return 'integer';
	return Array.isArray(value) ? 'array' : typeof value;
};

/** Where a value does not fit a schema. */
export function violations(schema: Schema, value: unknown, path = '$'): string[] {
	const { type, enum: allowed, required = [], properties = {}, items } = schema;
	if (type && ![type].flat().includes(typeOf(value))) return [`${path} is ${typeOf(value)}`];
	if (allowed && !allowed.includes(value)) return [`${path} is ${String(value)}`];
	if (Array.isArray(value)) {
		return items ? value.flatMap((entry) => violations(items, entry, `${path}[]`)) : [];
	}
	if (typeof value !== 'object' || value === null) return [];
	const has = (name: string) => Object.hasOwn(value, name);
	const missing = required.filter((name) => !has(name)).map((name) => `${path}.${name} is missing`);
	const inside = Object.entries(properties)
		.filter(([name]) => has(name))
		.flatMap(([name, inner]) => violations(inner, value[name as never], `${path}.${name}`));
	return [...missing, ...inside];
}

/** Every item that an operation outputs must fit its schema, if the gateway is not hostile. */
export function checkItems(
	parameters: { resource?: unknown; operation?: unknown } | undefined,
	items: INodeExecutionData[],
): void {
	const name = `${String(parameters?.resource)}/${String(parameters?.operation)}`;
	const schema = SCHEMAS[name];
	if (!schema) return;
	const wrong = items
		.filter(({ json, error }) => !error && json.error === undefined)
		.flatMap(({ json }) => violations(schema, json));
	if (wrong.length > 0) throw new Error(`An item of ${name} does not fit its schema: ${wrong[0]}`);
}
