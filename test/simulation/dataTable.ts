import type { IDataObject } from 'n8n-workflow';

/** A row as n8n returns it. Dates are numbers here, and texts outside. */
type Row = Record<string, unknown> & { id: number; status: string };

export interface Condition {
	keyName: string;
	condition: string;
	keyValue?: unknown;
}

/** Rows that hold all conditions, or any of them. */
type Filter = Condition[] | { any: Condition[] };

/** What a Data Table node selects. */
export function filterOf(parameter: (name: string, fallback?: unknown) => unknown): Filter {
	const given = parameter('filters.conditions', []) as Condition[];
	const conditions = given.map((each) => ({ ...each, condition: each.condition ?? 'eq' }));
	return parameter('matchType', 'anyCondition') === 'anyCondition'
		? { any: conditions }
		: conditions;
}

const DATES = new Set([
	...['createdAt', 'updatedAt', 'nextAttemptAt', 'sentAt', 'sendAt', 'expiresAt'],
	...['startsAt', 'endsAt', 'answeredAt', 'answeredFor', 'changedAt'],
]);

const stored = (key: string, value: unknown): unknown =>
	DATES.has(key) && typeof value === 'string' ? Date.parse(value) : (value ?? null);

const asText = (row: Row): IDataObject => {
	const json = { ...row };
	for (const key of DATES) {
		if (typeof json[key] === 'number') json[key] = new Date(json[key]).toISOString();
	}
	return json as IDataObject;
};

type Test = (own: unknown, value: unknown) => boolean;

const isEmpty: Test = (own) => own === null || own === '';

/** In SQL, a comparison with NULL holds for no row. */
const comparison =
	(holds: (own: number, value: number) => boolean): Test =>
	(own, value) =>
		own !== null && value !== null && holds(own as number, value as number);

const TESTS: Record<string, Test> = {
	isEmpty,
	isNotEmpty: (own, value) => !isEmpty(own, value),
	eq: (own, value) => own === value,
	neq: (own, value) => own !== value,
	lt: comparison((own, value) => own < value),
	lte: comparison((own, value) => own <= value),
	gte: comparison((own, value) => own >= value),
	like: (own, value) => String(own).startsWith(String(value).replace(/%$/, '')),
};

/** Whether a row is selected. */
function matching(filter: Filter): (row: IDataObject) => boolean {
	const isAny = !Array.isArray(filter);
	const tests = (isAny ? filter.any : filter).map(({ keyName, condition, keyValue }) => {
		const value = stored(keyName, keyValue);
		return (row: IDataObject) => TESTS[condition]!(row[keyName] ?? null, value);
	});
	return (row) => (isAny ? tests.some((holds) => holds(row)) : tests.every((holds) => holds(row)));
}

/**
 * A data table. As in n8n, each call is one transaction, and an update returns the rows that it has changed: in PostgreSQL, the
 * UPDATE evaluates its conditions again after it has waited for another one; in SQLite, writes are serialized (BEGIN IMMEDIATE).
 */
export class Table {
	readonly rows: Row[] = [];
	#lastId = 0;

	insert(row: IDataObject, now: number): IDataObject {
		const values = Object.entries(row).map(([key, value]) => [key, stored(key, value)]);
		const own = Object.fromEntries(values) as Row;
		this.#lastId += 1;
		const inserted = { ...own, id: this.#lastId, createdAt: now, updatedAt: now };
		this.rows.push(inserted);
		return asText(inserted);
	}

	delete(filter: Filter): IDataObject[] {
		const found = this.find(filter);
		for (const row of found) this.rows.splice(this.rows.indexOf(row), 1);
		return found.map(asText);
	}

	find(filter: Filter): Row[] {
		const isId = ({ keyName, condition }: Condition) => keyName === 'id' && condition === 'eq';
		const id = Array.isArray(filter) && filter.find(isId)?.keyValue;
		const byId = this.rows[Number(id) - 1];
		const candidates = byId && byId.id === id ? [byId] : this.rows;
		return candidates.filter(matching(filter) as (row: Row) => boolean);
	}

	/** `orderBy` is always the ID, which is also n8n's default. */
	get(filter: Filter, limit = Infinity): IDataObject[] {
		return this.find(filter).slice(0, limit).map(asText);
	}

	update(filter: Filter, values: IDataObject, now: number): IDataObject[] {
		const rows = this.find(filter);
		for (const row of rows) {
			for (const [key, value] of Object.entries(values)) row[key] = stored(key, value);
			row.updatedAt = now;
		}
		return rows.map(asText);
	}
}
