import { derivedId } from "#shared/clock";
import { RUNTIME_LIMITS_DEFAULT } from "#shared/runtime";
import { rankOf } from "#shared/store/runs";
import { EntryRefusedError } from "../errors.ts";
import type { ClaimedMessage, RefusalReason } from "../errors.ts";
import type { ReadChange } from "./read-entry.ts";

/** Limits of what an agent may report for one message. */
export interface CostBounds {
  /** USD. */
  readonly costMax: number;
  readonly tokensMax: number;
}

/** Above the retries of any policy. */
const REQUEUES_MAX = 100_000;

/** What each event does to its own message, and whether it opens others or ends its run. */
const RULES: Readonly<Record<ReadChange["event"]["type"], Rule>> = {
  accepted: { state: null },
  completed: { state: "closed", mayResult: true },
  handed_off: { state: "closed", opens: true },
  retry: { state: "open" },
  postponed: { state: "open" },
  rejected: { state: "in_ward" },
  in_ward: { state: "in_ward" },
  quarantined: { state: "quarantined" },
  ended: { state: "closed", ends: true },
};

interface Rule {
  readonly state: NonNullable<ReadChange["moves"]>["state"] | null;
  readonly opens?: true;
  readonly ends?: true;
  readonly mayResult?: true;
}

/**
 * Verifies what an agent reports of its own message: only results of its own work, and plausible costs.
 *
 * @throws {EntryRefusedError}
 */
export function verifyOwnChange(
  agent: string,
  change: ReadChange,
  bounds: CostBounds,
): { readonly claimed: ClaimedMessage; readonly change: ReadChange } {
  const { event, moves, opens = [], end, result, error, cost = 0, tokens = 0 } = change;
  const claimed = { runId: event.run_id, messageId: event.message_id };
  const refuse = (reason: RefusalReason, problem: string): never => {
    throw new EntryRefusedError({ agent, reason, problem, claimed });
  };
  if (event.agent !== agent) refuse("event", `it tells what ${event.agent} did`);
  const isNamed = event.id.startsWith(`${event.message_id}/`);
  if (!isNamed && event.id !== derivedId(event.message_id, "stranded"))
    refuse("event", "an event's id is not of its message");
  const rule = RULES[event.type];
  if ((moves?.state ?? null) !== rule.state) refuse("event", `${event.type} moves no message so`);
  if (moves !== undefined && !isOwnRank(moves)) refuse("event", "a rank is not the agent's to give");
  if (opens.length > 0 !== (rule.opens ?? false))
    refuse("event", `${event.type} and opened messages disagree`);
  if ((end !== undefined || error !== undefined) && rule.ends !== true)
    refuse("event", `${event.type} ends no run`);
  if (result !== undefined && rule.mayResult !== true) refuse("event", `${event.type} has no result`);
  if (Buffer.byteLength(JSON.stringify(result ?? null)) > RUNTIME_LIMITS_DEFAULT.resultBytesMax)
    refuse("event", "its result is too large");
  if (cost > bounds.costMax || tokens > bounds.tokensMax)
    refuse("cost", `its costs of ${cost} USD and ${tokens} tokens are above what one message may cost`);
  return { claimed, change };
}

function isOwnRank({ state, rank }: NonNullable<ReadChange["moves"]>): boolean {
  if (state === "closed") return rank === rankOf.closed();
  if (state !== "open") return rank === rankOf.ward(0);
  return rank > rankOf.delivery(0) && rank <= rankOf.delivery(REQUEUES_MAX);
}

/**
 * Verifies what an agent reports of a dead child message, which is in the ward from the beginning.
 *
 * @throws {EntryRefusedError}
 */
export function verifyDeadChild(agent: string, claimed: ClaimedMessage, change: ReadChange): void {
  const { event, moves, opens, end, result, error, cost, tokens } = change;
  const isDead = event.type === "in_ward" || event.type === "quarantined";
  const isSound =
    event.run_id === claimed.runId &&
    event.id === derivedId(event.message_id, "in_ward") &&
    isDead &&
    moves?.state === event.type &&
    moves.rank === rankOf.ward(0) &&
    [opens, end, result, error, cost, tokens].every((member) => member === undefined);
  if (isSound) return;
  const problem = "a further event is none of a handoff that could not travel";
  throw new EntryRefusedError({ agent, reason: "event", problem, claimed });
}
