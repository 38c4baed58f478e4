import { derivedId, timestamp } from "#shared/clock";
import type { Spending } from "#shared/store/ledger";
import type { Job } from "#shared/store/queues";
import { rankOf } from "#shared/store/runs";
import type { RunChange } from "#shared/store/runs";
import type { Admission, Effects } from "#shared/store/settlement";

/** Ending of a handler's delivery. `alive`: children that are messages. `dead`: children that are dead messages. */
export type Ending =
  | { readonly kind: "completed" }
  | { readonly kind: "handed_off"; readonly alive: number; readonly dead: number }
  | { readonly kind: "retry" | "in_ward" | "quarantined" | "failed" | "expired" | "cancelled" };

/** A delivery as far as its settlement needs it. */
export interface Settled {
  readonly runId: string;
  readonly messageId: string;
  readonly jobId: string;
  readonly agent: string;
  readonly requeues: number;
  /** Spending of this delivery, added to that of its message. */
  readonly spent: Spending;
  /** The agent that children go to. */
  readonly next: string;
}

export interface Settlement {
  readonly scope: "final" | "delivery";
  readonly isCancellable: boolean;
  readonly entry: Effects;
}

/** Returns the effects of an ending, in the shape that the runtime's settlement gives it. */
export function settlementOf(settled: Settled, ending: Ending): Settlement {
  const entry = (parts: Partial<Effects> & Pick<Effects, "changes">): Effects => ({
    sends: [],
    admissions: [],
    ...parts,
  });
  const closed = { state: "closed", rank: rankOf.closed() } as const;
  const final = { scope: "final", isCancellable: ending.kind !== "cancelled" } as const;
  switch (ending.kind) {
    case "completed":
      return { ...final, entry: entry({ changes: [tell(settled, "completed", { moves: closed })] }) };
    case "failed":
    case "expired":
    case "cancelled":
      return {
        ...final,
        entry: entry({ changes: [tell(settled, "ended", { moves: closed, end: ending.kind })] }),
      };
    case "in_ward":
    case "quarantined": {
      const moves = { state: ending.kind, rank: rankOf.ward(0) };
      return {
        ...final,
        entry: entry({
          changes: [tell(settled, ending.kind, { moves })],
          admissions: [admissionOf({ ...settled, status: ending.kind })],
        }),
      };
    }
    case "retry": {
      const requeues = settled.requeues + 1;
      const moves = { state: "open", rank: rankOf.delivery(requeues) } as const;
      const send = sendOf(settled.agent, `${settled.messageId}.${requeues}`, "retry");
      return {
        scope: "delivery",
        isCancellable: true,
        entry: entry({ changes: [tell(settled, "retry", { moves })], sends: [send] }),
      };
    }
    case "handed_off":
      return { ...final, entry: entry(handoff(settled, ending)) };
  }
}

function handoff(settled: Settled, { alive, dead }: { alive: number; dead: number }) {
  const children = Array.from({ length: alive + dead }, (_, i) => derivedId(settled.messageId, "child", i));
  const opens = children.map((message_id) => ({ message_id, agent: settled.next }));
  const messages = children.slice(alive).map((messageId) => ({ ...settled, messageId, agent: settled.next }));
  return {
    changes: [
      tell(settled, "handed_off", { moves: { state: "closed", rank: rankOf.closed() }, opens }),
      ...messages.map(({ messageId }): RunChange => ({
        event: eventOf({ ...settled, messageId }, derivedId(messageId, "in_ward"), "in_ward"),
        moves: { state: "in_ward", rank: rankOf.ward(0) },
      })),
    ],
    sends: children.slice(0, alive).map((messageId) => sendOf(settled.next, messageId, "fresh")),
    admissions: messages.map((message) => admissionOf({ ...message, status: "in_ward" })),
  };
}

function tell(settled: Settled, type: RunChange["event"]["type"], telling: Partial<RunChange>): RunChange {
  return {
    event: eventOf(settled, derivedId(settled.messageId, settled.jobId, type), type),
    ...telling,
    cost: settled.spent.costMicro / 1e6,
    tokens: settled.spent.tokens,
    starts: true,
  };
}

export function eventOf(
  of: { readonly runId: string; readonly messageId: string; readonly agent: string },
  id: string,
  type: RunChange["event"]["type"],
): RunChange["event"] {
  const { runId, messageId, agent } = of;
  return { id, run_id: runId, type, at: timestamp(), message_id: messageId, agent, detail: {} };
}

export function sendOf(agent: string, jobId: string, lane: "fresh" | "retry"): Job {
  return { lane, agent, jobId, data: {}, delayMs: lane === "retry" ? 3_600_000 : 0, priority: "normal" };
}

export function admissionOf(message: {
  readonly runId: string;
  readonly messageId: string;
  readonly agent: string;
  readonly status: "in_ward" | "quarantined";
}): Admission {
  return {
    case_id: derivedId("case", message.messageId),
    run_id: message.runId,
    message_id: message.messageId,
    agent: message.agent,
    status: message.status === "in_ward" ? "admitted" : "quarantined",
  };
}
