import type { PoolClient } from "pg";
import { TENANT_DEFAULT } from "#shared/config";
import { crashPoint } from "#shared/crash-points";
import type { Store } from "#shared/store";
import type { KeptRun } from "#shared/store/archive";
import { LISTED_FIELDS } from "#shared/store/runs";
import type { ArchiveDb } from "./archive-db.ts";
import { pick, wholeMs, withoutNul } from "./kept-fields.ts";

/** Runs of one transaction. */
const BATCH = 200;
/** Time that one round goes on for while there is more, in ms. */
const ROUND_MS = 4000;

/** Moves a shard's ended runs to the archive: written and committed first, then deleted from Redis. */
export class RunMover {
  private readonly db: ArchiveDb;
  private readonly shard: Store;
  private readonly afterMs: number;

  /** @param afterMs - Time after its end in which a run is still in Redis. */
  constructor(db: ArchiveDb, shard: Store, afterMs: number) {
    this.db = db;
    this.shard = shard;
    this.afterMs = afterMs;
  }

  /** Moves batches for some seconds. @returns The number moved. @throws {ArchiveUnavailableError} Nothing is lost. */
  async round(stopping: AbortSignal): Promise<number> {
    const { leavingRuns } = this.shard;
    await leavingRuns.hold();
    const untilMs = performance.now() + ROUND_MS;
    let moved = 0;
    while (performance.now() < untilMs && !stopping.aborted) {
      const runs = await this.db.inTurn(`runs of shard ${this.shard.keys.shard}`, async (client) => {
        const batch = await leavingRuns.next(this.afterMs, BATCH);
        if (batch.length > 0) await insertRuns(client, this.db.schema, batch);
        return batch;
      });
      if (runs === null || runs.length === 0) break;
      crashPoint("W32:after_archived_before_deleted");
      moved += await leavingRuns.leave(runs);
    }
    return moved;
  }
}

/** Writes runs; one that is there already is replaced. */
async function insertRuns(client: PoolClient, schema: string, runs: readonly KeptRun[]): Promise<void> {
  const heads = runs.map(({ fields }) => pick(fields, (name) => LISTED.has(name)));
  const field = (name: string, fallback = ""): string[] =>
    runs.map(({ fields }) => withoutNul(fields[name] ?? fallback));
  const records = runs.map(({ fields, messages, log }) =>
    JSON.stringify({ fields: pick(fields, (name) => !LISTED.has(name)), messages, log }),
  );
  await client.query(
    `INSERT INTO ${schema}.runs (run_id, tenant, team, status, created_ms, ended_ms, head, record)
     SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::json[], $8::json[])
     ON CONFLICT (run_id) DO UPDATE SET status = excluded.status, ended_ms = excluded.ended_ms,
       head = excluded.head, record = excluded.record`,
    [
      runs.map(({ run_id }) => run_id),
      field("tenant", TENANT_DEFAULT),
      field("team"),
      field("status"),
      runs.map(({ fields }) => wholeMs(fields["created_ms"])),
      runs.map(({ fields }) => wholeMs(fields["ended_ms"])),
      heads.map((head) => JSON.stringify(head)),
      records,
    ],
  );
}

const LISTED: ReadonlySet<string> = new Set(LISTED_FIELDS);
