import type { ArchiveDb } from "./archive-db.ts";

/** A run or a case, and when it began, in ms since the epoch. */
export interface TextPlace {
  readonly kind: "run" | "case";
  readonly id: string;
  readonly team: string;
  readonly atMs: number;
}

/** Limits of a search: one kind or both, some teams or (null) all, and the number of results. */
interface Wanted {
  readonly kind?: TextPlace["kind"] | undefined;
  readonly teams: readonly string[] | null;
  readonly limit: number;
}

/** Characters of one word; PostgreSQL takes 2,046 bytes. */
const WORD_MAX = 500;
/** Bytes of the words of one text; PostgreSQL refuses one MiB with their places. */
const BYTES_MAX = 500_000;
/** Places of one word that PostgreSQL keeps, and the last place that it tells apart: a phrase beyond is not found. */
const PLACES_MAX = 256;
const PLACE_MAX = 16_383;

/** Finds runs and cases of the archive by their words. It keeps words alone, of texts that were masked before. */
export class ArchiveTexts {
  private readonly db: ArchiveDb;

  constructor(db: ArchiveDb) {
    this.db = db;
  }

  /** Takes up places with their texts, in the stead of what they had before. */
  async put(read: readonly (readonly [place: TextPlace, text: string])[]): Promise<void> {
    const distinct = [...new Map(read.map((one) => [`${one[0].kind} ${one[0].id}`, one])).values()];
    if (distinct.length === 0) return;
    await this.db.query(
      `INSERT INTO ${this.db.schema}.texts (kind, id, team, at_ms, words)
       SELECT kind, id, team, at_ms, words::tsvector
       FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[]) AS t (kind, id, team, at_ms, words)
       ON CONFLICT (kind, id) DO UPDATE SET words = excluded.words`,
      [
        distinct.map(([{ kind }]) => kind),
        distinct.map(([{ id }]) => id),
        distinct.map(([{ team }]) => team),
        distinct.map(([{ atMs }]) => Math.floor(atMs)),
        distinct.map(([, text]) => writeVector(text)),
      ],
    );
  }

  /** Returns those of which it has words, by kind and id. */
  async known(kind: TextPlace["kind"], ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.db.query<{ readonly id: string }>(
      `SELECT id FROM ${this.db.schema}.texts WHERE kind = $1 AND id = ANY($2)`,
      [kind, ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** @param words - All have to be there, the last as the beginning of one. @returns The newest first. */
  async find(words: string, { kind, teams, limit }: Wanted): Promise<TextPlace[]> {
    const query = writeQuery(words);
    if (query === null) return [];
    return this.db.query<TextPlace>(
      `SELECT kind, id, team, at_ms::float8 AS "atMs" FROM ${this.db.schema}.texts
       WHERE words @@ $1::tsquery AND ($2::text IS NULL OR kind = $2) AND ($3::text[] IS NULL OR team = ANY($3))
       ORDER BY at_ms DESC, id DESC LIMIT $4`,
      [query, kind ?? null, teams, limit],
    );
  }
}

/** Words without case and accents, as SQLite's index of what is in Redis tells them apart. */
function wordsOf(text: string): readonly string[] {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, WORD_MAX));
}

/** A `tsvector` as text: words of letters and digits need no escaping. */
function writeVector(text: string): string {
  const places = new Map<string, number[]>();
  let bytes = 0;
  for (const [at, word] of wordsOf(text).entries()) {
    const own = places.get(word) ?? [];
    bytes += own.length === 0 ? Buffer.byteLength(word) + 4 : 2;
    if (bytes > BYTES_MAX) break;
    if (own.length < PLACES_MAX) own.push(Math.min(at + 1, PLACE_MAX));
    places.set(word, own);
  }
  return Array.from(places, ([word, at]) => `'${word}':${at.join(",")}`).join(" ");
}

/** A `tsquery` as text; null where nothing is asked for. */
function writeQuery(text: string): string | null {
  const asked = text.split(/\s+/u).map(wordsOf);
  const phrases = asked.filter((words) => words.length > 0);
  const last = phrases.at(-1)?.at(-1);
  if (last === undefined) return null;
  const written = phrases.map((words) => words.map((word) => `'${word}'`).join(" <-> ")).join(" & ");
  // One letter begins too many words: it is taken as a word.
  return /^[a-z\d]$/.test(last) ? written : `${written}:*`;
}
