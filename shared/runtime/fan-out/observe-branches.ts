import type { BranchFailure, BranchSight, FanOutRecord } from "#shared/store/fan-outs";
import type { RunEvent, RunMessage } from "#shared/store/runs";

/** Messages of one branch in the run's record. */
interface Seen {
  open: number;
  parked: number;
  readonly closed: string[];
}

/**
 * Returns changed states of the branches that have not answered, by the record of their run. A branch has ended when
 * it has messages and all of them are closed: its answer stays open until its join has recorded it, and a message is
 * opened in the same step in which the one before is closed. A branch without any recorded message is in progress.
 *
 * @param run.events - The latest events of the run, for the reasons; old ones may be missing.
 * @returns Only what differs from the known states. Pure.
 */
export function observeBranches(
  record: FanOutRecord,
  run: { readonly messages: readonly RunMessage[]; readonly events: readonly RunEvent[] },
): BranchSight[] {
  const seen = surveyOf(record, run.messages);
  return record.states.flatMap((state, index): BranchSight[] => {
    if (state !== "started" && state !== "parked") return [];
    const branch = seen.get(index);
    if (branch === undefined) return [];
    const now = branch.open > 0 ? "started" : branch.parked > 0 ? "parked" : "failed";
    if (now === state) return [];
    const failure = now === "failed" ? failureOf(branch.closed, run.events) : null;
    return [{ index, state: now, failure }];
  });
}

function surveyOf(record: FanOutRecord, messages: readonly RunMessage[]): ReadonlyMap<number, Seen> {
  const prefix = `${record.fanOutId}/`;
  const survey = new Map<number, Seen>();
  for (const { branch, state, message_id } of messages) {
    if (branch?.startsWith(prefix) !== true) continue;
    const index = Number(branch.slice(prefix.length));
    const seen = survey.get(index) ?? { open: 0, parked: 0, closed: [] };
    survey.set(index, seen);
    if (state === "open") seen.open += 1;
    else if (state === "closed") seen.closed.push(message_id);
    else seen.parked += 1;
  }
  return survey;
}

function failureOf(closed: readonly string[], events: readonly RunEvent[]): BranchFailure {
  const ids = new Set(closed);
  const last = events.findLast(
    ({ message_id, type }) => message_id !== null && ids.has(message_id) && ENDS.has(type),
  );
  if (last?.type === "completed") return { reason: "elsewhere" };
  const code = last?.detail["code"];
  return { reason: "ended", ...(typeof code === "string" ? { code } : {}) };
}

const ENDS: ReadonlySet<RunEvent["type"]> = new Set(["ended", "discarded", "completed"]);
