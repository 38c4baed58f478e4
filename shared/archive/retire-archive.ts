import type { ArchiveDb } from "./archive-db.ts";

const DAY_MS = 86_400_000;
/** Rows of one statement. */
const PAGE = 1000;

/** Deletes a page of what ended longer ago than it is to be kept. @param days - 0: nothing is deleted. */
export async function retireArchive(db: ArchiveDb, days: number, nowMs: number): Promise<void> {
  if (days === 0) return;
  const before = [nowMs - days * DAY_MS];
  await db.query(
    `DELETE FROM ${db.schema}.runs WHERE run_id IN
       (SELECT run_id FROM ${db.schema}.runs WHERE ended_ms < $1 ORDER BY ended_ms LIMIT ${PAGE})`,
    before,
  );
}
