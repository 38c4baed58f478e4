import type { Pool, PoolClient } from "pg";
import { z } from "zod";
import type { Secret } from "#shared/config";
import { loadPackage } from "#shared/errors";
import { LibraryUnavailableError } from "../errors.ts";
import { chooseOfRanked } from "./choose-passages.ts";
import type { Library } from "./library.ts";
import { toSource } from "./read-source.ts";
import type { Source } from "./read-source.ts";

/** Where the sources are. */
export interface PostgresSettings {
  /** `postgres://user:password@host/database`. */
  readonly url: Secret;
  /** Table or view, with its schema where needed; it has the columns source_id, title, publisher, published, text. */
  readonly table: string;
  /** Text search configuration, such as `english`. */
  readonly language: string;
  /** Milliseconds for one search. Default 5,000. */
  readonly timeoutMs?: number;
}

const CONNECTIONS_MAX = 4;
/** Rows that one search reads, and characters of each. */
const ROWS_MAX = 20;
const ROW_CHARACTERS_MAX = 200_000;
const QUERY_WORDS_MAX = 64;

const row = z.object({
  source_id: z.coerce.string().min(1),
  title: z.string().nullable(),
  publisher: z.string().nullable(),
  published: z.string().nullable(),
  text: z.string().nullable(),
  is_cut: z.boolean(),
});

type Row = z.output<typeof row>;

/** A library that holds connections. */
export interface PostgresLibrary extends Library {
  close(): Promise<void>;
}

/**
 * Sources in PostgreSQL, found by full text search in a transaction that can only read. A source has to share one word
 * with what is asked; those that share more, closer together, come first.
 */
export function createPostgresLibrary(settings: PostgresSettings): PostgresLibrary {
  const { url, table, language, timeoutMs = 5000 } = settings;
  let pool: Pool | null = null;
  const open = async (): Promise<Pool> => {
    const { default: pg } = await loadPackage(["pg"], () => import("pg"));
    if (pool !== null) return pool;
    pool = new pg.Pool({
      connectionString: url.reveal(),
      max: CONNECTIONS_MAX,
      connectionTimeoutMillis: timeoutMs,
      application_name: "suture-research",
      allowExitOnIdle: true,
    });
    // An idle connection that breaks is replaced at the next search.
    pool.on("error", () => undefined);
    return pool;
  };
  return {
    async search({ text, passagesMax }, signal) {
      const query = toWebSearch(text);
      if (query === "") return { passages: [], held_back: [] };
      const rows = await withClient(await open(), signal, async (client) => {
        await client.query("BEGIN READ ONLY");
        await client.query(`SELECT set_config('statement_timeout', $1, true)`, [String(timeoutMs)]);
        const values = [language, query, ROW_CHARACTERS_MAX, ROWS_MAX];
        const found = await client.query(sqlFor(client, table), values);
        await client.query("COMMIT");
        return found.rows;
      });
      const parsed = z.array(row).safeParse(rows);
      if (!parsed.success)
        throw new LibraryUnavailableError("the table's columns have other types than expected");
      return chooseOfRanked(parsed.data.map(toRowSource), { text, passagesMax });
    },
    close: async () => {
      await pool?.end();
      pool = null;
    },
  };
}

/** Runs work on a connection. A failure, or giving up, closes the connection, with what it still had to do. */
async function withClient<Value>(
  pool: Pool,
  signal: AbortSignal,
  work: (client: PoolClient) => Promise<Value>,
): Promise<Value> {
  signal.throwIfAborted();
  const client = await pool.connect().catch((error: unknown) => {
    throw new LibraryUnavailableError(describeFailure(error));
  });
  const givenUp = Promise.withResolvers<never>();
  const stop = (): void => givenUp.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    const value = await Promise.race([work(client), givenUp.promise]);
    client.release();
    return value;
  } catch (error) {
    client.release(true);
    if (signal.aborted) throw signal.reason;
    throw new LibraryUnavailableError(describeFailure(error));
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** By its code alone: the server's words may name users, hosts and values. */
function describeFailure(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "57014") return "the database did not answer in time";
  if (code === "42P01" || code === "42703") return "the database has no such table, or it lacks a column";
  return /^[0-9A-Z]{5}$/.test(code) ? `the database refused (${code})` : "the database cannot be reached";
}

/**
 * The words of a question joined by `or`: with all of them wanted, as `websearch_to_tsquery` takes them otherwise, a
 * whole question finds nothing. Marks that it gives a meaning are gone.
 */
function toWebSearch(text: string): string {
  const words = text
    .normalize("NFC")
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== "" && word !== "or");
  return [...new Set(words)].slice(0, QUERY_WORDS_MAX).join(" or ");
}

function sqlFor(client: PoolClient, table: string): string {
  const name = table
    .split(".")
    .map((part) => client.escapeIdentifier(part))
    .join(".");
  return `
    SELECT source_id::text, title::text, publisher::text, published::text,
           left(text, $3::int) AS text, length(text) > $3::int AS is_cut
    FROM ${name}, websearch_to_tsquery($1::regconfig, $2) AS query
    WHERE to_tsvector($1::regconfig, coalesce(title, '') || ' ' || coalesce(text, '')) @@ query
    ORDER BY ts_rank_cd(to_tsvector($1::regconfig, coalesce(title, '') || ' ' || coalesce(text, '')), query, 1) DESC,
             source_id
    LIMIT $4::int`;
}

/** A text that is cut is not searched to its end; that is said where it is found. */
function toRowSource({ source_id, title, publisher, published, text, is_cut: isCut }: Row): Source {
  const source = toSource({
    sourceId: source_id,
    title: title ?? undefined,
    publisher: publisher ?? undefined,
    published: published ?? undefined,
    body: (text ?? "").replaceAll("\r\n", "\n"),
  });
  if (!isCut || source.heldBack !== null) return source;
  const reasons = ["unreadable", `longer_than_${ROW_CHARACTERS_MAX}_characters`];
  return { ...source, heldBack: { source_id, title: title ?? source_id, reasons } };
}
