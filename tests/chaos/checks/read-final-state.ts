import type { Store } from "#shared/store";
import { RUN_STATUSES } from "#shared/store/runs";
import type { RunCounts, RunStatus } from "#shared/store/runs";
import { auditRuns } from "#shared/store/upkeep";
import type { Audit } from "#shared/store/upkeep";
import { findCases } from "#shared/ward";
import type { WardCase } from "#shared/ward";

/** A run as it stands when all is over. */
export interface FinalRun {
  readonly run_id: string;
  readonly status: RunStatus;
  readonly result: unknown;
  /** Agents in the order in which they handed on. */
  readonly handedOn: readonly string[];
  /** How often the run was told of a completion. */
  readonly completions: number;
}

/** A case as it stands when all is over, and who is said to have brought it there. */
export interface FinalCase extends Pick<WardCase, "run_id" | "message_id" | "status" | "failure_class"> {
  /** Changes that the audit names nobody for, or no change at all. */
  readonly anonymous: number;
}

/** All that the Redis under test says in the end. */
export interface FinalState {
  readonly runs: readonly FinalRun[];
  readonly cases: readonly FinalCase[];
  readonly counts: RunCounts;
  readonly audit: Audit;
}

const RUNS_MAX = 1_000_000;
const EVENTS_MAX = 5000;
const CASE_PAGE = 200;
const AUDIT_MAX = 200;

export async function readFinalState(store: Store): Promise<FinalState> {
  const runs: FinalRun[] = [];
  for (const status of RUN_STATUSES) {
    for (const runId of await store.runs.idsIn(status, RUNS_MAX)) runs.push(await readRun(store, runId));
  }
  const cases = await readCases(store);
  const held = new Set(cases.map(({ message_id }) => message_id));
  const audit = await auditRuns(store, async (messageId) => held.has(messageId));
  return { runs, cases, counts: await store.runs.counts(), audit };
}

async function readRun(store: Store, runId: string): Promise<FinalRun> {
  const { status, result } = await store.runs.get(runId);
  const events = await store.runs.events(runId, { from: 0, limit: EVENTS_MAX });
  // By hops: where the outbox tells, what happened later may be told first.
  const handedOn = events
    .filter((event) => event.type === "handed_off")
    .toSorted((a, b) => Number(a.detail["hop"]) - Number(b.detail["hop"]))
    .map((event) => event.agent ?? "");
  const completions = events.filter((event) => event.type === "completed").length;
  return { run_id: runId, status, result, handedOn, completions };
}

async function readCases(store: Store): Promise<FinalCase[]> {
  const found: FinalCase[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof findCases>> = await findCases(store, {
      filter: {},
      cursor,
      limit: CASE_PAGE,
    });
    for (const { case_id, run_id, message_id, status, failure_class } of page.cases) {
      const entries = await store.cases.audit(case_id, AUDIT_MAX);
      const anonymous = entries.length === 0 ? 1 : entries.filter(({ by }) => by === "").length;
      found.push({ run_id, message_id, status, failure_class, anonymous });
    }
    cursor = page.cursor;
  } while (cursor !== null);
  return found;
}
