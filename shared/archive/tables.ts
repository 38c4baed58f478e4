import type { PoolClient } from "pg";
import { ArchiveFormatError } from "./errors.ts";

/** Version of the tables. A release reads those of its own version and before. */
export const ARCHIVE_FORMAT = 1;

/** `head`: the fields that lists show. `record`: the rest, as Redis had it. */
const tablesOf = (schema: string): string => `
  CREATE SCHEMA IF NOT EXISTS ${schema};
  CREATE TABLE IF NOT EXISTS ${schema}.archive_format (version int PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS ${schema}.runs (
    run_id text COLLATE "C" PRIMARY KEY, tenant text NOT NULL, team text NOT NULL, status text NOT NULL,
    created_ms bigint NOT NULL, ended_ms bigint NOT NULL, head json NOT NULL, record json NOT NULL
  );
  CREATE INDEX IF NOT EXISTS runs_newest ON ${schema}.runs (created_ms, run_id);
  CREATE INDEX IF NOT EXISTS runs_of_tenant ON ${schema}.runs (tenant, created_ms, run_id);
  CREATE INDEX IF NOT EXISTS runs_in_status ON ${schema}.runs (status, created_ms, run_id);
  CREATE INDEX IF NOT EXISTS runs_ended ON ${schema}.runs (ended_ms);
  CREATE TABLE IF NOT EXISTS ${schema}.cases (
    case_id text COLLATE "C" PRIMARY KEY, run_id text NOT NULL, team text NOT NULL, status text NOT NULL,
    fingerprint text NOT NULL, admitted_ms bigint NOT NULL, closed_ms bigint NOT NULL,
    head json NOT NULL, record json NOT NULL
  );
  CREATE INDEX IF NOT EXISTS cases_newest ON ${schema}.cases (admitted_ms, case_id);
  CREATE INDEX IF NOT EXISTS cases_of_run ON ${schema}.cases (run_id, admitted_ms, case_id);
  CREATE INDEX IF NOT EXISTS cases_of_group ON ${schema}.cases (fingerprint, admitted_ms, case_id);
  CREATE INDEX IF NOT EXISTS cases_in_status ON ${schema}.cases (status, admitted_ms, case_id);
  CREATE INDEX IF NOT EXISTS cases_closed ON ${schema}.cases (closed_ms);
  CREATE TABLE IF NOT EXISTS ${schema}.audit (
    shard int, seq bigint, at_ms bigint NOT NULL, entry json NOT NULL, PRIMARY KEY (shard, seq, at_ms)
  );
  CREATE INDEX IF NOT EXISTS audit_newest ON ${schema}.audit (at_ms);
  CREATE TABLE IF NOT EXISTS ${schema}.texts (
    kind text, id text, team text NOT NULL, at_ms bigint NOT NULL, words tsvector NOT NULL, PRIMARY KEY (kind, id)
  );
  CREATE INDEX IF NOT EXISTS texts_words ON ${schema}.texts USING gin (words);
  CREATE INDEX IF NOT EXISTS texts_newest ON ${schema}.texts (at_ms);
  INSERT INTO ${schema}.archive_format VALUES (${ARCHIVE_FORMAT}) ON CONFLICT DO NOTHING;`;

/** Makes the tables where they are missing. A user that may not create any suffices once they are there. */
export async function createTables(client: PoolClient, schema: string): Promise<void> {
  const found = await readFormat(client, schema);
  if (found > ARCHIVE_FORMAT) throw new ArchiveFormatError(found, ARCHIVE_FORMAT);
  if (found === ARCHIVE_FORMAT) return;
  // Two processes that start together would make the same table at once, which PostgreSQL refuses.
  const lock = `SELECT pg_advisory_xact_lock(hashtextextended('suture archive', 0))`;
  await client.query(`BEGIN; ${lock}; ${tablesOf(schema)} COMMIT;`);
}

/** Returns the version of the tables; 0 without any. */
async function readFormat(client: PoolClient, schema: string): Promise<number> {
  const table = `${schema}.archive_format`;
  const there = await client.query("SELECT 1 WHERE to_regclass($1) IS NOT NULL", [table]);
  if (there.rowCount === 0) return 0;
  const { rows } = await client.query<{ readonly version: number }>(`SELECT version FROM ${table}`);
  return Math.max(0, ...rows.map(({ version }) => version));
}
