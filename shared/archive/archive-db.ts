import type { Pool, PoolClient, QueryResultRow } from "pg";
import type { Secret } from "#shared/config";
import { codeOf, loadPackage, PackageMissingError } from "#shared/errors";
import { ArchiveFormatError, ArchiveUnavailableError } from "./errors.ts";
import { createTables } from "./tables.ts";

/** Connections of one process; requests that need more wait. */
const CONNECTIONS_MAX = 4;
const CONNECT_MS = 3000;
const QUERY_MS = 30_000;

export interface ArchiveSettings {
  readonly url: Secret;
  /** Name of the installation and of its schema. */
  readonly prefix: string;
  /** Default 3,000. */
  readonly connectMs?: number;
}

/** Connections to the archive's PostgreSQL. The tables are made at first use, so that it may be away at the start. */
export class ArchiveDb {
  /** The schema, quoted. */
  readonly schema: string;
  private readonly settings: ArchiveSettings;
  /** Code of the failure of the last use; null: it succeeded, or there was none yet. */
  failure: string | null = null;
  private opened: Promise<Pool> | null = null;
  private prepared: Promise<void> | null = null;

  constructor(settings: ArchiveSettings) {
    this.settings = settings;
    this.schema = `"${settings.prefix}"`;
  }

  /** @throws {ArchiveUnavailableError | ArchiveFormatError | PackageMissingError} */
  async query<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.use(async (client) => (await client.query<Row>(text, [...values])).rows);
  }

  /**
   * Runs a transaction that only one process runs at a time.
   * @param turn - Its name. @returns Null: another process is at it. @throws As `query`.
   */
  async inTurn<Result>(turn: string, work: (client: PoolClient) => Promise<Result>): Promise<Result | null> {
    return this.use(async (client) => {
      await client.query("BEGIN");
      const name = `${this.settings.prefix} ${turn}`;
      const lock = "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS mine";
      const { rows } = await client.query<{ readonly mine: boolean }>(lock, [name]);
      const result = rows[0]?.mine === true ? await work(client) : null;
      await client.query("COMMIT");
      return result;
    });
  }

  async close(): Promise<void> {
    const pool = await this.opened?.catch(() => null);
    await pool?.end();
  }

  private async use<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.connect();
    let failure: Error | undefined;
    let result: Result;
    try {
      this.prepared ??= createTables(client, this.schema);
      await this.prepared;
      result = await work(client);
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      if (this.prepared !== null) await this.prepared.catch(() => (this.prepared = null));
      if (!(error instanceof ArchiveFormatError) && !isOfPostgres(error)) throw error;
      this.failure = codeOf(error);
      throw error instanceof ArchiveFormatError ? error : new ArchiveUnavailableError(error);
    } finally {
      // A connection on which something failed may be inside a transaction: it is closed.
      client.release(failure);
    }
    this.failure = null;
    return result;
  }

  private async connect(): Promise<PoolClient> {
    try {
      const pool = await (this.opened ??= this.open());
      return await pool.connect();
    } catch (error) {
      this.failure = codeOf(error);
      throw error instanceof PackageMissingError ? error : new ArchiveUnavailableError(error);
    }
  }

  private async open(): Promise<Pool> {
    const { default: pg } = await loadPackage(["pg"], () => import("pg"));
    const pool = new pg.Pool({
      connectionString: this.settings.url.reveal(),
      max: CONNECTIONS_MAX,
      connectionTimeoutMillis: this.settings.connectMs ?? CONNECT_MS,
      query_timeout: QUERY_MS,
      application_name: "suture",
      allowExitOnIdle: true,
    });
    // A connection that is lost between two queries would end the process; the next query on it fails.
    pool.on("connect", (client) => client.on("error", () => undefined));
    pool.on("error", () => undefined);
    return pool;
  }
}

/** Errors of lost connections and of time limits, which have no code. */
const OF_THE_PACKAGE = /connection terminated|read timeout|trying to connect|not queryable/i;

/** Errors of Redis and of our own code pass as they are. */
function isOfPostgres(error: unknown): boolean {
  if (!(error instanceof Error) || error.name === "ReplyError") return false;
  return "severity" in error || "errno" in error || OF_THE_PACKAGE.test(error.message);
}
