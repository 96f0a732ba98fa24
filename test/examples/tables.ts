import type { IDataObject } from 'n8n-workflow';

import type { Fields } from '../harness/exampleCode';
import { Table } from '../simulation/dataTable';

/** The data tables of an n8n. */
export class Tables {
	readonly #tables = new Map<string, Table>();

	table(name: string): Table {
		const table = this.#tables.get(name) ?? new Table();
		this.#tables.set(name, table);
		return table;
	}

	insert(name: string, ...rows: IDataObject[]): void {
		for (const row of rows) this.table(name).insert(row, Date.now());
	}

	rows = (name: string) => this.table(name).get([]) as Fields[];
}
