// What nodes read from the data tables.

/** Without the empty item of a node that always outputs data. */
const rowsOf = (items) => items.map(({ json }) => json).filter(({ id }) => id !== undefined);

/** A row that several lists contain is what the last one says. */
const uniqueById = (rows) => [...new Map(rows.map((row) => [row.id, row])).values()];

module.exports = { rowsOf, uniqueById };
