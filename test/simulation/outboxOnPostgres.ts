import { PGlite } from '@electric-sql/pglite';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { parametersOf } from '../harness/exampleCode';
import { type OutboxScenario, Simulation } from './outbox';

const FILE = '11p-outbox-send';
const LEASE_MS = 5 * 60_000;

/** A PostgreSQL in this process, with the tables of the example. What its statements see as the time is set before each of them. */
export async function startPostgres(): Promise<PGlite> {
	const database = await PGlite.create();
	await database.exec(`
		CREATE SCHEMA virtual;
		CREATE FUNCTION virtual.now() RETURNS timestamptz STABLE LANGUAGE sql
			AS $$ SELECT current_setting('virtual.now')::timestamptz $$;
		SET search_path = virtual, pg_catalog, public;
		SET virtual.now = '2026-01-01T00:00:00Z';`);
	await database.exec(parametersOf(FILE, 'Outbox tables').query as string);
	return database;
}

/** How many rows are not settled. */
const COUNT =
	"SELECT count(*)::integer AS open FROM messaging_outbox WHERE status IN ('pending', 'sending')";

type Value = string | number | null | undefined;

/** As pg-promise formats values, which n8n uses. */
function literal(value: Value): string {
	if (value === null || value === undefined) return 'null';
	return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

/** What n8n's Postgres node returns for the statements of a query. */
export async function execute(database: PGlite, query: string, values: Value[], nowMs: number) {
	const text = query.replace(/\$(\d+)/g, (_, place) => literal(values[Number(place) - 1]));
	const time = `SET virtual.now = '${new Date(nowMs).toISOString()}'`;
	const results = await database.exec(`${time}; ${text}`);
	const rows = results.flatMap((result) => result.rows as IDataObject[]);
	return rows.length > 0 ? rows : [{ success: true }];
}

/** The form of the outbox on PostgreSQL, in virtual time. */
export class PostgresSimulation extends Simulation {
	#open = Infinity;
	/** When the lease of each row ends. */
	readonly #leases = new Map<number, number>();

	constructor(
		scenario: OutboxScenario,
		private readonly database: PGlite,
	) {
		super(scenario, FILE);
	}

	async start(): Promise<void> {
		await this.database.exec('TRUNCATE messaging_outbox, messaging_pace RESTART IDENTITY');
		const insert = `INSERT INTO messaging_outbox (request_id, recipient, text, next_attempt_at, send_at, expires_at)
			SELECT "requestId", recipient, text, "nextAttemptAt", "sendAt", "expiresAt"
			FROM jsonb_to_recordset($1::jsonb) AS each ("requestId" text, recipient text, text text,
				"nextAttemptAt" timestamptz, "sendAt" timestamptz, "expiresAt" timestamptz)`;
		const rows = this.scenario.rows.map((row, index) => ({
			...row,
			requestId: row.requestId || `r${index}`,
		}));
		await execute(this.database, insert, [JSON.stringify(rows)], this.clock.date());
	}

	async rows(): Promise<IDataObject[]> {
		const { rows } = await this.database.query<IDataObject>(
			'SELECT * FROM messaging_outbox ORDER BY id',
		);
		return rows;
	}

	protected override isSettled = () => this.#open === 0;
	protected override isExclusive = () => false;

	protected override async postgres(
		context: IExecuteFunctions,
		_items: INodeExecutionData[],
	): Promise<INodeExecutionData[]> {
		const query = context.getNodeParameter('query', 0) as string;
		const values = context.getNodeParameter('options.queryReplacement', 0, []) as Value[];
		const rows = await this.transaction(context, async () => {
			const counted = `${query};\n${COUNT}`;
			const output = await execute(this.database, counted, values, this.clock.date());
			this.#open = output.pop()!.open as number;
			this.#note(context, output, values);
			return output.length > 0 ? output : [{ success: true }];
		});
		return rows.map((json) => ({ json, pairedItem: { item: 0 } }));
	}

	/** A lease that has not ended belongs to one run. */
	#note(context: IExecuteFunctions, output: IDataObject[], values: Value[]): void {
		const execution = context.getExecutionId();
		const { name } = context.getNode();
		const isClaim = name === 'Claim';
		if (!isClaim && name !== 'Write results') return;
		const rows = (isClaim ? output : JSON.parse(values[1] as string)) as Array<{ id?: number }>;
		for (const { id } of rows) {
			if (id === undefined) continue;
			const holder = this.claims.get(id);
			if (isClaim) {
				const isHeld = holder !== undefined && this.executions.has(holder);
				if (isHeld && this.clock.now() < this.#leases.get(id)!)
					this.violations.add('claimed while its holder lives');
				this.claims.set(id, execution);
				this.#leases.set(id, this.clock.now() + LEASE_MS);
			} else if (holder === execution) this.claims.delete(id);
		}
	}
}

export async function simulateOnPostgres(scenario: OutboxScenario, database: PGlite) {
	const simulation = new PostgresSimulation(scenario, database);
	await simulation.start();
	return { ...(await simulation.run()), rows: await simulation.rows() };
}
