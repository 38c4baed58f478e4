import { RequestInvalidError } from "#shared/http";
import type { Store } from "#shared/store";
import type { ListedRun, RunStatus } from "#shared/store/runs";

/** End of a page: runs are ordered by time of creation, newest first, then by id, highest first. */
interface RunCursor {
  readonly createdMs: number;
  readonly runId: string;
}

interface RunPage {
  readonly runs: readonly ListedRun[];
  /** Null: there are no more. */
  readonly next_cursor: string | null;
}

interface RunsWanted {
  readonly status?: RunStatus;
  readonly team?: string;
  readonly limit: number;
  /** `next_cursor` of the page before. */
  readonly cursor?: string;
  /** Looks only at runs that are in Redis. Default: at those of the archive too. */
  readonly inRedis?: true;
  /** Looks only at the runs that this tenant owns. Undefined: at all. */
  readonly tenant: string | undefined;
  /** Returns true for the runs that are shown. */
  readonly sees: (run: ListedRun) => boolean;
}

/** Rows looked at for one page at most, so that a rare team's filter cannot walk the whole index. */
const SCANNED_MAX = 200;
/** More runs than this of one millisecond cannot be told apart by pages; Redis itself accepts fewer. */
const BATCH_MAX = 6400;

/**
 * One page of runs; it may be short while there is a next one. The store pages by whole milliseconds: the run id in the
 * cursor keeps runs of one millisecond from being lost between two pages.
 * @throws {RequestInvalidError} The cursor is none of ours.
 */
export async function listRuns(store: Store, wanted: RunsWanted): Promise<RunPage> {
  const after = wanted.cursor === undefined ? null : readCursor(wanted.cursor);
  const fault = { path: "/query/cursor", code: "invalid_format", message: "not a cursor of ours" };
  if (after === undefined) throw new RequestInvalidError([fault]);
  const { runs, next } = await findPage(store, wanted, after);
  await store.runs.confirmEnds(runs);
  return { runs, next_cursor: next === null ? null : writeCursor(next) };
}

async function findPage(store: Store, wanted: RunsWanted, after: RunCursor | null) {
  const runs: ListedRun[] = [];
  let cursor = after;
  // The cost of a page goes by its size, as long as no filter takes rows out of it.
  let batch = Math.min(SCANNED_MAX, wanted.limit + 1);
  for (let scanned = 0; scanned < SCANNED_MAX;) {
    const rows = await store.runs.list({
      limit: batch,
      ...(wanted.tenant === undefined ? {} : { tenant: wanted.tenant }),
      ...(wanted.inRedis === undefined ? {} : { inRedis: wanted.inRedis }),
      ...(wanted.status === undefined ? {} : { status: wanted.status }),
      ...(cursor === null ? {} : { before: cursor.createdMs + 1 }),
    });
    const fresh = rows.filter((row) => isAfter(row, cursor));
    if (fresh.length === 0 && (rows.length < batch || batch >= BATCH_MAX)) return { runs, next: null };
    scanned += fresh.length;
    batch = fresh.length === 0 ? batch * 2 : Math.max(1, SCANNED_MAX - scanned);
    for (const row of fresh) {
      cursor = { createdMs: row.created_ms, runId: row.run_id };
      if (isWanted(row, wanted)) runs.push(row);
      if (runs.length >= wanted.limit) return { runs, next: cursor };
    }
  }
  return { runs, next: cursor };
}

function isWanted(row: ListedRun, { status, team, sees }: RunsWanted): boolean {
  return (
    (team === undefined || row.team === team) && (status === undefined || row.status === status) && sees(row)
  );
}

function isAfter(row: ListedRun, cursor: RunCursor | null): boolean {
  if (cursor === null || row.created_ms < cursor.createdMs) return true;
  return row.created_ms === cursor.createdMs && row.run_id < cursor.runId;
}

/** Opaque to clients; plain to us. */
export function writeCursor(cursor: RunCursor): string {
  return Buffer.from(`${cursor.createdMs}.${cursor.runId}`).toString("base64url");
}

/** Undefined for what `writeCursor` did not write. */
export function readCursor(text: string): RunCursor | undefined {
  const match = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(Buffer.from(text, "base64url").toString());
  return match === null ? undefined : { createdMs: Number(match[1]), runId: match[2] ?? "" };
}
