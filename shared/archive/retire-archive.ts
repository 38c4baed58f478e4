import type { ArchiveDb } from "./archive-db.ts";

const DAY_MS = 86_400_000;
/** Rows of one statement. */
const PAGE = 1000;

/** Deletes a page of what ended longer ago than it is to be kept. @param days - 0: nothing is deleted. */
export async function retireArchive(db: ArchiveDb, days: number, nowMs: number): Promise<void> {
  if (days === 0) return;
  const before = [nowMs - days * DAY_MS];
  const { schema } = db;
  for (const [kind, endedMs] of [
    ["run", "ended_ms"],
    ["case", "closed_ms"],
  ] as const)
    await db.query(
      `WITH gone AS (DELETE FROM ${schema}.${kind}s WHERE ${kind}_id IN
         (SELECT ${kind}_id FROM ${schema}.${kind}s WHERE ${endedMs} < $1 ORDER BY ${endedMs} LIMIT ${PAGE})
         RETURNING ${kind}_id AS id)
       DELETE FROM ${schema}.texts USING gone WHERE texts.kind = '${kind}' AND texts.id = gone.id`,
      before,
    );
  await db.query(
    `DELETE FROM ${schema}.audit WHERE (shard, seq, at_ms) IN
       (SELECT shard, seq, at_ms FROM ${schema}.audit WHERE at_ms < $1 ORDER BY at_ms LIMIT ${PAGE})`,
    before,
  );
}
