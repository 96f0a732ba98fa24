import type { IDataObject } from 'n8n-workflow';

import type { Fields } from '../harness/exampleCode';
import { Table } from '../simulation/dataTable';

/**
 * The data tables of an n8n. As in n8n 2.41, full ones can be read and deleted from, and created, but neither inserted into nor updated.
 */
export class Tables {
	isFull = false;
	/** How many rows each node has read. */
	readonly read: Record<string, number> = {};
	readonly #tables = new Map<string, Table>();

	table(name: string): Table {
		const table = this.#tables.get(name) ?? new Table();
		this.#tables.set(name, table);
		return table;
	}

	/** Rows may have been stored earlier. Returns the ID of the last one. */
	insert(name: string, ...rows: IDataObject[]): number {
		const table = this.table(name);
		for (const row of rows) {
			table.insert(row, Date.now());
			for (const time of ['createdAt', 'updatedAt']) {
				if (row[time]) table.rows.at(-1)![time] = Date.parse(row[time] as string);
			}
		}
		return table.rows.at(-1)!.id;
	}

	rows = (name: string) => this.table(name).get([]) as Fields[];
}
