// node registration.cjs DATABASE PACKAGE, with n8n's own Node: what n8n itself writes down after it has installed a
// community package. (CommonJS, because NODE_PATH counts for nothing else.)
const { join } = require('node:path');
const { DatabaseSync } = require('node:sqlite');

const [databaseFile, folder] = process.argv.slice(2);
const { name, version, author, n8n } = require(join(folder, 'package.json'));
const NOW = "STRFTIME('%Y-%m-%d %H:%M:%f', 'NOW')";

const nodes = n8n.nodes
	.flatMap((file) => Object.values(require(join(folder, file))))
	.map((NodeType) => new NodeType().description);

const database = new DatabaseSync(databaseFile, { timeout: 10_000 });
database.exec('BEGIN IMMEDIATE');
database
	.prepare(
		`INSERT INTO installed_packages (packageName, installedVersion, authorName, authorEmail, createdAt, updatedAt)
		VALUES (?, ?, ?, ?, ${NOW}, ${NOW})
		ON CONFLICT (packageName) DO UPDATE SET installedVersion = excluded.installedVersion, updatedAt = ${NOW}`,
	)
	.run(name, version, author.name, author.email);
database.prepare('DELETE FROM installed_nodes WHERE package = ?').run(name);
const insert = database.prepare(
	'INSERT INTO installed_nodes (name, type, latestVersion, package) VALUES (?, ?, ?, ?)',
);
for (const { displayName, name: node, version: versions } of nodes) {
	insert.run(displayName, `${name}.${node}`, [versions].flat().at(-1), name);
}
database.exec('COMMIT');
database.close();
