import { open } from "#shared/envelope";
import type { Envelope, Keyring } from "#shared/envelope";
import { retryJobId } from "#shared/runtime";
import type { Job } from "#shared/store/queues";
import { EntryRefusedError } from "../errors.ts";
import type { ClaimedMessage } from "../errors.ts";
import type { ReadEntry } from "./read-entry.ts";

type ReadSend = ReadEntry["sends"][number];

/** Longer than any retry waits, in ms. */
const DELAY_MS_MAX = 7 * 86_400_000;

/** Who sends, and by which keys and edges. */
export interface SenderFacts {
  readonly agent: string;
  /** Verifies every edge and signs none. */
  readonly keyring: Keyring;
  /** Agents that the teams let it hand to. */
  readonly receivers: ReadonlySet<string>;
  /** Those of them that join the branches of fan-outs. */
  readonly joins: ReadonlySet<string>;
  /** Milliseconds in which a receiver must accept, for those of which that is declared. */
  readonly awaits: ReadonlyMap<string, number>;
  /** Names of the teams that have it. */
  readonly teams: ReadonlySet<string>;
}

/** A handoff that may travel. */
export interface VerifiedHandoff {
  readonly send: Job;
  /** As its seal has it. */
  readonly envelope: Envelope;
}

/**
 * Verifies one handoff: sealed on an edge that this agent has, for the queue it goes to, under its own id, as the child
 * of the message that the entry is about. Only the sealed bytes decide how it is queued.
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
 * Verifies a delivery that is to be tried again: into the agent's own queue. What is in it, the agent verifies again.
 *
 * @param messageId - Null where the entry tells no run anything.
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
