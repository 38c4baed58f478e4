import type { PoolClient } from "pg";
import type { Store } from "#shared/store";
import type { KeptCase } from "#shared/store/archive";
import { HEAD_FIELDS, readAudit } from "#shared/store/cases";
import type { ArchiveDb } from "./archive-db.ts";
import { pick, wholeMs, withoutNul } from "./kept-fields.ts";

/** Cases of one transaction; each may hold megabytes. */
const BATCH = 50;
const BATCHES_MAX = 20;

/** Moves a shard's closed cases, and copies the ward's audit, to the archive. */
export class CaseMover {
  private readonly db: ArchiveDb;
  private readonly shard: Store;
  /** Number of the last audit line that was copied; 0 at the start, which copies all that are kept. */
  private copied = 0;

  constructor(db: ArchiveDb, shard: Store) {
    this.db = db;
    this.shard = shard;
  }

  /**
   * Moves cases that were closed before `beforeMs`: written and committed first, then deleted from Redis.
   * @returns The number moved. @throws {ArchiveUnavailableError} Nothing is lost.
   */
  async round(beforeMs: number): Promise<number> {
    await this.copyAudit();
    const { leavingCases, keys } = this.shard;
    let moved = 0;
    for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
      const cases = await leavingCases.next(beforeMs, BATCH);
      if (cases.length === 0) break;
      const isMine = await this.db.inTurn(`cases of shard ${keys.shard}`, async (client) => {
        await insertCases(client, this.db.schema, cases);
        return true;
      });
      if (isMine === null) break;
      const ids = cases.map(({ case_id }) => case_id);
      moved += await leavingCases.leave(ids, beforeMs);
    }
    return moved;
  }

  private async copyAudit(): Promise<void> {
    const { lines, newest } = await this.shard.leavingCases.auditSince(this.copied);
    const entries = readAudit(lines).flatMap((entry) => (entry.seq === undefined ? [] : [entry]));
    if (entries.length > 0)
      await this.db.query(
        `INSERT INTO ${this.db.schema}.audit (shard, seq, at_ms, entry)
         SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::json[]) ON CONFLICT DO NOTHING`,
        [
          this.shard.keys.shard,
          entries.map(({ seq }) => seq),
          entries.map(({ at }) => wholeMs(String(Date.parse(at)))),
          entries.map((entry) => JSON.stringify(entry)),
        ],
      );
    this.copied = newest;
  }
}

const HEAD: ReadonlySet<string> = new Set(HEAD_FIELDS);

/** Writes cases; one that is there already is replaced. */
async function insertCases(client: PoolClient, schema: string, cases: readonly KeptCase[]): Promise<void> {
  const field = (name: string): string[] => cases.map(({ fields }) => withoutNul(fields[name] ?? ""));
  const time = (name: string): number[] => cases.map(({ fields }) => wholeMs(fields[name]));
  await client.query(
    `INSERT INTO ${schema}.cases
       (case_id, run_id, team, status, fingerprint, admitted_ms, closed_ms, head, record)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[],
       $8::json[], $9::json[])
     ON CONFLICT (case_id) DO UPDATE SET status = excluded.status, fingerprint = excluded.fingerprint,
       closed_ms = excluded.closed_ms, head = excluded.head, record = excluded.record`,
    [
      cases.map(({ case_id }) => case_id),
      field("run_id"),
      field("team"),
      field("status"),
      field("fingerprint"),
      time("admitted_ms"),
      time("closed_ms"),
      cases.map(({ fields }) => JSON.stringify(pick(fields, (name) => HEAD.has(name)))),
      cases.map(({ fields, audit }) =>
        JSON.stringify({ fields: pick(fields, (name) => !HEAD.has(name)), audit }),
      ),
    ],
  );
}
