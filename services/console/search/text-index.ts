import { DatabaseSync } from "node:sqlite";

/** A run or a case, and when it began, in ms since the epoch. */
export interface Place {
  readonly kind: "run" | "case";
  readonly id: string;
  readonly team: string;
  readonly atMs: number;
}

/** Limits of a search: one kind or both, some teams or (null) all, and the number of results. */
export interface Wanted {
  readonly kind?: Place["kind"] | undefined;
  readonly teams: readonly string[] | null;
  readonly limit: number;
}

/** Rows of one millisecond. They are numbered by time, so that the newest are found first. */
const ROWS_PER_MS = 1000;

/**
 * Finds runs and cases by their words. It lies in memory and keeps words alone, no text: what it was told can be found
 * and not be read.
 */
export class TextIndex {
  private readonly db = new DatabaseSync(":memory:");
  private readonly docsMax: number;
  private readonly sql: ReturnType<typeof statementsOf>;
  private size = 0;

  /** @param docsMax - Runs and cases that it holds at most; beyond it the oldest goes. */
  constructor(docsMax: number) {
    this.docsMax = docsMax;
    this.db.exec(`
      CREATE TABLE docs (row INTEGER PRIMARY KEY, kind TEXT, id TEXT, team TEXT, UNIQUE (id, kind));
      CREATE VIRTUAL TABLE texts USING fts5 (text, content='', contentless_delete=1);
    `);
    this.sql = statementsOf(this.db);
  }

  /** True if the oldest goes for each new one. */
  get isFull(): boolean {
    return this.size >= this.docsMax;
  }

  /** Time at which the oldest that it holds began, in ms since the epoch; null: it holds none. */
  get oldestMs(): number | null {
    const row = this.sql.oldest.get()?.["row"] ?? null;
    return row === null ? null : Math.floor(Number(row) / ROWS_PER_MS);
  }

  /** Takes up places with their texts, in the stead of what they had before: together, since each write sorts words. */
  put(read: readonly (readonly [place: Place, text: string])[]): void {
    this.db.exec("BEGIN");
    try {
      for (const [place, text] of read) this.putOne(place, text);
    } finally {
      this.db.exec("COMMIT");
    }
  }

  private putOne({ kind, id, team, atMs }: Place, text: string): void {
    this.remove({ kind, id });
    const [from, to] = [atMs * ROWS_PER_MS, (atMs + 1) * ROWS_PER_MS - 1];
    const last = this.sql.lastBetween.get(from, to);
    const row = Math.min(Number(last?.["row"] ?? from - 1) + 1, to);
    this.removeRow(row);
    this.sql.addDoc.run(row, kind, id, team);
    this.sql.addText.run(row, text);
    this.size += 1;
    if (this.size > this.docsMax) this.removeRow(Number(this.sql.oldest.get()?.["row"]));
  }

  remove({ kind, id }: Pick<Place, "kind" | "id">): void {
    const known = this.sql.rowOf.get(id, kind);
    if (known !== undefined) this.removeRow(Number(known["row"]));
  }

  has({ kind, id }: Pick<Place, "kind" | "id">): boolean {
    return this.sql.rowOf.get(id, kind) !== undefined;
  }

  /** @param words - All have to be there, the last as the beginning of one. @returns The newest first. */
  find(words: string, wanted: Wanted): Place[] {
    const asked = words.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
    if (asked.length === 0) return [];
    const phrases = asked.map((word) => `"${word.replaceAll('"', " ")}"`).join(" ");
    const teams = wanted.teams === null ? null : JSON.stringify(wanted.teams);
    // One letter begins too many words: it is taken as a word.
    const isLetter = /^[a-z\d]$/i.test(asked.at(-1) ?? "");
    return this.sql.find
      .all(isLetter ? phrases : `${phrases}*`, wanted.kind ?? null, teams, wanted.limit)
      .map(({ row, kind, id, team }) => ({
        kind: kind === "run" ? "run" : "case",
        id: String(id),
        team: String(team),
        atMs: Math.floor(Number(row) / ROWS_PER_MS),
      }));
  }

  private removeRow(row: number): void {
    if (this.sql.removeDoc.run(row).changes === 0) return;
    this.sql.removeText.run(row);
    this.size -= 1;
  }
}

function statementsOf(db: DatabaseSync) {
  return {
    oldest: db.prepare("SELECT min(row) AS row FROM docs"),
    lastBetween: db.prepare("SELECT max(row) AS row FROM docs WHERE row BETWEEN ? AND ?"),
    rowOf: db.prepare("SELECT row FROM docs WHERE id = ? AND kind = ?"),
    addDoc: db.prepare("INSERT INTO docs (row, kind, id, team) VALUES (?, ?, ?, ?)"),
    addText: db.prepare("INSERT INTO texts (rowid, text) VALUES (?, ?)"),
    removeDoc: db.prepare("DELETE FROM docs WHERE row = ?"),
    removeText: db.prepare("DELETE FROM texts WHERE rowid = ?"),
    find: db.prepare(
      `SELECT row, kind, id, team FROM texts CROSS JOIN docs ON docs.row = texts.rowid
       WHERE texts MATCH ?1 AND (?2 IS NULL OR kind = ?2)
         AND (?3 IS NULL OR team IN (SELECT value FROM json_each(?3)))
       ORDER BY texts.rowid DESC LIMIT ?4`,
    ),
  };
}
