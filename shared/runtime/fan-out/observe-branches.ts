import type { BranchFailure, BranchSight, FanOutRecord } from "#shared/store/fan-outs";
import type { RunEvent, RunMessage } from "#shared/store/runs";

/** What a run's record says of the messages of one branch. */
interface Seen {
  open: number;
  parked: number;
  readonly closed: string[];
}

/**
 * What has become of the branches that are not back, by the record of their run. A branch is over when it has messages
 * and all of them are closed: what it brings back is open until its join has taken it, and a message is opened in the
 * same step in which the one before it is closed. A branch of which the record knows nothing yet is under way.
 *
 * @param run.events - The latest of the run, for the reasons; those of long ago may be missing.
 * @returns only what differs from what is known. Pure.
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
    if (state === "open" || state === "away") seen.open += 1;
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
