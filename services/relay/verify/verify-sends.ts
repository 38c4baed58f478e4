import { open } from "#shared/envelope/seals";
import type { Envelope } from "#shared/envelope";
import type { Keyring } from "#shared/envelope/keys";
import { retryJobId } from "#shared/runtime";
import type { Job } from "#shared/store/queues";
import { EntryRefusedError } from "../errors.ts";
import type { ClaimedMessage } from "../errors.ts";
import type { ReadEntry } from "./read-entry.ts";

type ReadSend = ReadEntry["sends"][number];

/** Above the delay of any retry, in ms. */
const DELAY_MS_MAX = 7 * 86_400_000;

/** The sender with its keys and edges. */
export interface SenderFacts {
  readonly agent: string;
  /** Verifies every edge and signs none. */
  readonly keyring: Keyring;
  /** Agents that its teams let it hand to. */
  readonly receivers: ReadonlySet<string>;
  /** Receivers that join branches of fan-outs. */
  readonly joins: ReadonlySet<string>;
  /** Acknowledgement deadlines in ms, by receiver. */
  readonly awaits: ReadonlyMap<string, number>;
  /** Names of its teams. */
  readonly teams: ReadonlySet<string>;
}

/** A verified handoff. */
export interface VerifiedHandoff {
  readonly send: Job;
  /** The sealed envelope. */
  readonly envelope: Envelope;
}

/**
 * Verifies one handoff: sealed on an edge of this agent, for its queue, under its own id, as a child of the entry's
 * message. Only the sealed bytes decide how it is queued.
 *
 * @throws {EntryRefusedError}
 */
export function verifyHandoff(sender: SenderFacts, claimed: ClaimedMessage, send: ReadSend): VerifiedHandoff {
  const { agent, keyring, receivers } = sender;
  const refuse = (problem: string, cause?: unknown): EntryRefusedError =>
    new EntryRefusedError({ agent, reason: "send", problem, claimed }, cause);
  if (!receivers.has(send.agent)) throw refuse(`it has no edge to ${send.agent}`);
  const { envelope, key } = openOrRefuse();
  if (key.from !== agent) throw refuse("a handoff is sealed by another agent");
  const { run_id, parent_id } = envelope.meta;
  if (run_id !== claimed.runId || parent_id !== claimed.messageId)
    throw refuse("a handoff does not come from the message that the entry is about");
  return {
    envelope,
    send: {
      lane: "fresh",
      agent: send.agent,
      jobId: send.jobId,
      data: { ...send.data, attempt: 0 },
      delayMs: 0,
      priority: envelope.task_context.priority,
    },
  };

  function openOrRefuse() {
    try {
      return open({ message: send.data, queue: send.agent, jobId: send.jobId, keyring });
    } catch (error) {
      throw refuse(`a handoff to ${send.agent} does not verify`, error);
    }
  }
}

/**
 * Verifies a retry: it must go to the agent's own queue. The agent verifies its content again.
 *
 * @param messageId - Null if the entry changes no run.
 * @throws {EntryRefusedError}
 */
export function verifyRetry(agent: string, messageId: string | null, send: ReadSend): Job {
  const [message, requeues] = send.jobId.split(".");
  const isOwn =
    send.lane === "retry" &&
    send.agent === agent &&
    send.delayMs <= DELAY_MS_MAX &&
    send.jobId === retryJobId(message ?? "", Number(requeues)) &&
    (messageId === null || message === messageId);
  if (isOwn) return send;
  throw new EntryRefusedError({ agent, reason: "send", problem: "a retry is not its own" });
}
