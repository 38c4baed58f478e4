import { now } from "#shared/clock";
import type { RecordedMessage } from "#shared/store/crossings";
import { rankOf } from "#shared/store/runs";
import type { RunChange } from "#shared/store/runs";
import type { Places } from "../bridge.ts";

/** What is to become of one change that a peer tells: it is applied, known already, asked for again, or refused. */
export type Verdict =
  | "apply"
  /** Told and applied before. */
  | "known"
  /** Of a message that its sender may yet tell of: not applied, to be told again. */
  | "early"
  /** Its run is not kept here. */
  | "run_unknown"
  /** Nobody told of the message in all the time that news are waited for. */
  | "message_unknown"
  /** The message is held here, or by another peer. */
  | "not_theirs"
  /** The message has its final outcome. */
  | "after_end"
  /** Says of the message what its record denies, or what no run comes to. */
  | "implausible";

/** What one event may cost at most, in USD and in tokens. */
const COST_MAX = 1000;
const TOKENS_MAX = 100_000_000;
/** How far clocks may be apart, in ms. */
const CLOCKS_APART_MS = 120_000;

/** What the record of a run says, as far as it is needed. */
export interface RecordOfRun {
  /** Whether this cluster keeps it. */
  readonly isKept: boolean;
  readonly held: ReadonlyMap<string, RecordedMessage>;
  /** Ids of events that were applied. */
  readonly events: ReadonlySet<string>;
}

/** Id at home of what tells that a peer brought this message into the world: then it is the peer's to tell of. */
export function carriedId(cluster: string, messageId: string): string {
  return `${cluster}/${messageId}/carried`;
}

/** Id at home of an event. A message has one final outcome: whatever its peer calls it, a second is the first again. */
export function homeId(cluster: string, { event, moves }: RunChange): string {
  const isFinal = moves !== undefined && moves.rank >= rankOf.closed();
  return isFinal ? `${cluster}/${event.message_id ?? ""}/outcome` : `${cluster}/${event.id}`;
}

/**
 * Judges what one peer tells of one run, in its order. A peer may tell of messages whose receivers live there, and of
 * those that its agents brought into the world until their receivers have them: all others are not its own. Pure.
 */
export function judgeNews(
  changes: readonly RunChange[],
  asked: {
    readonly from: string;
    readonly places: Places;
    readonly record: RecordOfRun;
    /** How long news of a message are waited for that its sender has not told of, in ms. */
    readonly waitMs: number;
    /** Of a result, as JSON. */
    readonly resultBytesMax: number;
  },
): { readonly change: RunChange; readonly verdict: Verdict }[] {
  const { from, places, record } = asked;
  const held = new Map(record.held);
  const brought = new Set<string>();
  return changes.map((change) => {
    const verdict = judge(change);
    if (verdict !== "apply") return { change, verdict };
    const { event, moves } = change;
    const opens = (change.opens ?? []).filter(({ message_id }) => !held.has(message_id));
    for (const { message_id, agent } of opens) {
      held.set(message_id, { rank: 0, state: "away", agent });
      brought.add(message_id);
    }
    const before = held.get(event.message_id ?? "");
    if (moves !== undefined && before !== undefined && moves.rank > before.rank)
      held.set(event.message_id ?? "", { ...before, ...moves });
    return { change: { ...change, opens }, verdict };
  });

  function judge(change: RunChange): Verdict {
    const { event, moves } = change;
    if (!record.isKept) return "run_unknown";
    if (record.events.has(homeId(from, change))) return "known";
    // The end of a run is asked for where it is kept; what a peer did about it, it tells by its messages.
    if (event.message_id === null) return event.type === "cancel_requested" ? "known" : "not_theirs";
    if (!isPlausible(change)) return "implausible";
    const message = held.get(event.message_id);
    if (message === undefined) {
      const isYoung = Date.parse(event.at) > now() - asked.waitMs;
      return isYoung && places.clusterOf(event.agent ?? "") === from ? "early" : "message_unknown";
    }
    if (!isTheirs(event.message_id, message)) return "not_theirs";
    if (message.rank >= rankOf.closed()) return "after_end";
    // It takes back a failure: that of this very message, which was discarded and is restored.
    if (change.end === "undo_failed" && message.state !== "closed") return "implausible";
    return moves !== undefined && event.agent !== message.agent ? "implausible" : "apply";
  }

  function isTheirs(messageId: string, { state, agent }: RecordedMessage): boolean {
    if (places.clusterOf(agent) === from) return true;
    return state === "away" && (brought.has(messageId) || record.events.has(carriedId(from, messageId)));
  }

  function isPlausible({ event, moves, result, cost = 0, tokens = 0, opens = [] }: RunChange): boolean {
    const at = Date.parse(event.at);
    if (Number.isNaN(at) || at > now() + CLOCKS_APART_MS) return false;
    if (cost > COST_MAX || tokens > TOKENS_MAX) return false;
    if (opens.some(({ agent }) => places.clusterOf(agent) === undefined)) return false;
    if (result === undefined) return true;
    const isEnd = moves?.state === "closed" && moves.rank >= rankOf.closed();
    return isEnd && Buffer.byteLength(JSON.stringify(result)) <= asked.resultBytesMax;
  }
}
