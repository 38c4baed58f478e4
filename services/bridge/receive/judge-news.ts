import { now } from "#shared/clock";
import type { RecordedMessage } from "#shared/store/crossings";
import { rankOf } from "#shared/store/runs";
import type { RunChange } from "#shared/store/runs";
import type { AgentDirectory } from "../bridge.ts";

/**
 * What happens to one change that a peer reports: applied, ignored as known, requested again (`early`), or refused.
 */
export type Verdict =
  | "apply"
  /** Already applied. */
  | "known"
  /** Its message is not known here yet, and its sender may still report it: not applied, requested again. */
  | "early"
  /** The run is not kept in this cluster. */
  | "run_unknown"
  /** Nobody reported the message within the waiting time. */
  | "message_unknown"
  /** The message belongs to this cluster or to another peer. */
  | "not_theirs"
  /** The message already has its final outcome. */
  | "after_end"
  /** Contradicts the record, or exceeds what a run can be. */
  | "implausible";

/** Maximum cost of one event, in USD and in tokens. */
const COST_MAX = 1000;
const TOKENS_MAX = 100_000_000;
/** Tolerated clock difference, in ms. */
const CLOCKS_APART_MS = 120_000;

/** The part of a run's record that `judgeNews` compares with. */
export interface RecordOfRun {
  /** True when this cluster keeps the run. */
  readonly isKept: boolean;
  readonly held: ReadonlyMap<string, RecordedMessage>;
  /** Ids of applied events. */
  readonly events: ReadonlySet<string>;
}

/**
 * Event id at home of a peer's report that it created this message. Until it is delivered, that peer reports on it.
 */
export function carriedId(cluster: string, messageId: string): string {
  return `${cluster}/${messageId}/carried`;
}

/** Event id at home. All final outcomes of a message share one id, so that a second one counts as a repetition. */
export function homeId(cluster: string, { event, moves }: RunChange): string {
  const isFinal = moves !== undefined && moves.rank >= rankOf.closed();
  return isFinal ? `${cluster}/${event.message_id ?? ""}/outcome` : `${cluster}/${event.id}`;
}

/**
 * Decides which changes of one run a peer may make, in order: those of messages whose receivers live there, and of
 * messages its agents created until they are delivered. Pure.
 */
export function judgeNews(
  changes: readonly RunChange[],
  asked: {
    readonly from: string;
    readonly directory: AgentDirectory;
    readonly record: RecordOfRun;
    /** How long a change may wait for the report that its message exists, in ms. */
    readonly waitMs: number;
    /** Maximum size of a result as JSON. */
    readonly resultBytesMax: number;
  },
): { readonly change: RunChange; readonly verdict: Verdict }[] {
  const { from, directory, record } = asked;
  const messages = new Map(record.held);
  const brought = new Set<string>();
  return changes.map((change) => {
    const verdict = judge(change);
    if (verdict !== "apply") return { change, verdict };
    const { event, moves } = change;
    const opens = (change.opens ?? []).filter(({ message_id }) => !messages.has(message_id));
    for (const { message_id, agent } of opens) {
      messages.set(message_id, { rank: 0, state: "away", agent });
      brought.add(message_id);
    }
    const before = messages.get(event.message_id ?? "");
    if (moves !== undefined && before !== undefined && moves.rank > before.rank)
      messages.set(event.message_id ?? "", { ...before, ...moves });
    return { change: { ...change, opens }, verdict };
  });

  function judge(change: RunChange): Verdict {
    const { event, moves } = change;
    if (!record.isKept) return "run_unknown";
    if (record.events.has(homeId(from, change))) return "known";
    // Cancellation is requested at home; the peer reports its effect message by message.
    if (event.message_id === null) return event.type === "cancel_requested" ? "known" : "not_theirs";
    if (!isPlausible(change)) return "implausible";
    const message = messages.get(event.message_id);
    if (message === undefined) {
      const isYoung = Date.parse(event.at) > now() - asked.waitMs;
      return isYoung && directory.clusterOf(event.agent ?? "") === from ? "early" : "message_unknown";
    }
    if (!isTheirs(event.message_id, message)) return "not_theirs";
    if (message.rank >= rankOf.closed()) return "after_end";
    // Only a restored dead message takes back a failure, and only its own.
    if (change.end === "undo_failed" && message.state !== "closed") return "implausible";
    return moves !== undefined && event.agent !== message.agent ? "implausible" : "apply";
  }

  function isTheirs(messageId: string, { state, agent }: RecordedMessage): boolean {
    if (directory.clusterOf(agent) === from) return true;
    return state === "away" && (brought.has(messageId) || record.events.has(carriedId(from, messageId)));
  }

  function isPlausible({ event, moves, result, cost = 0, tokens = 0, opens = [] }: RunChange): boolean {
    const at = Date.parse(event.at);
    if (Number.isNaN(at) || at > now() + CLOCKS_APART_MS) return false;
    if (cost > COST_MAX || tokens > TOKENS_MAX) return false;
    if (opens.some(({ agent }) => directory.clusterOf(agent) === undefined)) return false;
    if (result === undefined) return true;
    const isEnd = moves?.state === "closed" && moves.rank >= rankOf.closed();
    return isEnd && Buffer.byteLength(JSON.stringify(result)) <= asked.resultBytesMax;
  }
}
