import { auditRuns, RUN_STATUSES } from "#shared/store";
import type { Audit, RunCounts, RunStatus, Store } from "#shared/store";
import { findCases } from "#shared/ward";

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

/** All that the Redis under test says in the end. */
export interface FinalState {
  readonly runs: readonly FinalRun[];
  readonly counts: RunCounts;
  readonly audit: Audit;
  /** Cases that are neither closed nor waiting for a person. */
  readonly casesUnderway: number;
}

const RUNS_MAX = 1_000_000;
const EVENTS_MAX = 5000;
const CASE_PAGE = 200;

export async function readFinalState(store: Store): Promise<FinalState> {
  const runs: FinalRun[] = [];
  for (const status of RUN_STATUSES) {
    for (const runId of await store.runs.idsIn(status, RUNS_MAX)) runs.push(await readRun(store, runId));
  }
  const held = new Set<string>();
  let casesUnderway = 0;
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof findCases>> = await findCases(store, {
      filter: {},
      cursor,
      limit: CASE_PAGE,
    });
    for (const one of page.cases) {
      held.add(one.message_id);
      if (one.status === "admitted" || one.status === "in_surgery") casesUnderway += 1;
    }
    cursor = page.cursor;
  } while (cursor !== null);
  const audit = await auditRuns(store, async (messageId) => held.has(messageId));
  return { runs, counts: await store.runs.counts(), audit, casesUnderway };
}

async function readRun(store: Store, runId: string): Promise<FinalRun> {
  const { status, result } = await store.runs.get(runId);
  const events = await store.runs.events(runId, { from: 0, limit: EVENTS_MAX });
  const handedOn = events.filter((event) => event.type === "handed_off").map((event) => event.agent ?? "");
  const completions = events.filter((event) => event.type === "completed").length;
  return { run_id: runId, status, result, handedOn, completions };
}
