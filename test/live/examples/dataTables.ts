import { type Json, callN8n } from '../n8n';

export interface Row extends Json {
	id: number;
	status: string;
}

/** Looked up every time, because a test may delete the table. */
async function pathOfTable(name: string): Promise<string> {
	const { id } = await callN8n<{ id: string }>('GET', '/projects/personal');
	const tables = `/projects/${id}/data-tables`;
	const { data } = await callN8n<{ data: Array<{ id: string; name: string }> }>('GET', tables);
	const table = data.find((each) => each.name === name);
	if (!table) throw new Error(`The data table ${name} does not exist.`);
	return `${tables}/${table.id}`;
}

/** The oldest 250 rows. */
export async function rowsOf(table: string): Promise<Row[]> {
	const path = `${await pathOfTable(table)}/rows?take=250&sortBy=id:asc`;
	return (await callN8n<{ data: Row[] }>('GET', path)).data;
}

export async function insertRows(table: string, data: Json[]): Promise<void> {
	await callN8n('POST', `${await pathOfTable(table)}/insert`, { data, returnType: 'count' });
}

/** Makes all rows due that wait. */
export async function makeDue(table: string): Promise<void> {
	const filters = [{ columnName: 'status', condition: 'eq', value: 'pending' }];
	const data = { nextAttemptAt: new Date(0).toISOString() };
	const filter = { type: 'and', filters };
	await callN8n('PATCH', `${await pathOfTable(table)}/rows`, { filter, data });
}

export async function deleteRows(table: string): Promise<void> {
	const filters = [{ columnName: 'id', condition: 'gte', value: 0 }];
	const query = new URLSearchParams({ filter: JSON.stringify({ type: 'and', filters }) });
	await callN8n('DELETE', `${await pathOfTable(table)}/rows?${query}`);
}
