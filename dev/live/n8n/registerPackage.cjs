// node registerPackage.cjs DATABASE PACKAGE writes the rows that n8n writes after it has installed a community package.
// Runs with n8n's Node, which has node:sqlite. CommonJS, because NODE_PATH does not apply to ES modules.
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
