import { now, timestamp } from "#shared/clock";
import { openToolState } from "#shared/context";
import { branchOf, branchTag, childIdOf, createNext } from "#shared/envelope";
import type { Conversation, Envelope, EnvelopeMeta, MessageMarks, NextDraft } from "#shared/envelope";
import { seal } from "#shared/envelope/seals";
import type { SealedMessage } from "#shared/envelope/seals";
import type { Failure } from "#shared/errors";
import { SCOPE_FIELD, TAINT_FIELD, carryTaint, narrowScope, scopeOf } from "#shared/guard";
import type { Hold } from "#shared/store/ledger";
import type { Job } from "#shared/store/queues";
import { rankOf } from "#shared/store/runs";
import type { OpenedMessage, RunChange } from "#shared/store/runs";
import { withoutHealedAnswers } from "#shared/ward/moves";
import type { HandoffDraft } from "../define/handler-context.ts";
import type { Delivery, Message } from "../deliver/delivery.ts";
import { labelsOfDelivery } from "../deliver/delivery.ts";
import { traceparentOfSend } from "../deliver/report-delivery.ts";
import { UndeclaredTransitionError } from "../errors.ts";

/** Returns the facts of every settled event: hop, times, cost. Repeats the acceptance, in case its notice was lost. */
function factsOf(delivery: Delivery): Readonly<Record<string, unknown>> {
  const meta = delivery.message?.envelope.meta;
  const { cost, tokens } = delivery.spent.since(delivery.record.billed);
  return {
    hop: meta?.hop_count ?? null,
    attempt: delivery.attempt,
    contract: meta?.contract ?? null,
    sent_at: meta?.timestamp ?? null,
    accepted_at: delivery.record.acceptedAt ?? timestamp(delivery.startedMs),
    ms: now() - delivery.startedMs,
    cost,
    tokens,
    ...delivery.spent.asked,
  };
}

/** Returns the event's id, one per delivery and kind, so that a repeat is idempotent. */
export function eventIdOf({ messageId, jobId }: Hold, type: RunChange["event"]["type"]): string {
  return jobId === messageId ? `${messageId}/${type}` : `${messageId}/${jobId}/${type}`;
}

type ChangeParts = Pick<RunChange, "moves" | "opens" | "end" | "result" | "error" | "branch"> & {
  readonly detail: Readonly<Record<string, unknown>>;
};

export function changeOf(
  delivery: Delivery,
  type: RunChange["event"]["type"],
  parts: ChangeParts,
): RunChange {
  const { hold, place, message } = delivery;
  const { detail, ...rest } = parts;
  const { branch } = branchFieldOf(message?.envelope.meta);
  return {
    event: {
      id: eventIdOf(hold, type),
      run_id: hold.runId,
      type,
      at: timestamp(),
      message_id: hold.messageId,
      agent: place.agent.name,
      detail: { ...factsOf(delivery), ...detail },
    },
    ...(branch === undefined ? rest : ofBranch(rest, branch)),
    ...delivery.spent.since(delivery.record.billed),
    starts: true,
  };
}

/** The end of a branch is not the end of its run: its join decides that. */
function ofBranch(
  { moves, opens }: Omit<ChangeParts, "detail">,
  branch: string,
): Omit<ChangeParts, "detail"> {
  return { branch, ...(moves === undefined ? {} : { moves }), ...(opens === undefined ? {} : { opens }) };
}

export function closingChange(
  delivery: Delivery,
  type: RunChange["event"]["type"],
  parts: ChangeParts,
): RunChange {
  return changeOf(delivery, type, { ...parts, moves: { state: "closed", rank: rankOf.closed() } });
}

export function failureDetail(failure: Failure | null): Readonly<Record<string, unknown>> {
  if (failure === null) return {};
  return {
    class: failure.failure_class,
    code: failure.code,
    reason: failure.message,
    paths: failure.issues.map((i) => i.path),
  };
}

export interface SealedHandoff {
  readonly envelope: Envelope;
  readonly bytes: string;
  readonly message: SealedMessage;
  /** Index among the handoffs of one outcome, from 0. */
  readonly index: number;
}

/** Position of a handoff within its outcome and fan-out. */
interface HandoffPlace {
  /** From 0. */
  readonly index: number;
  readonly marks?: MessageMarks;
  /** Maximum time to live from now, in ms. Default: the run's, or its receiver's. */
  readonly ttlMs?: number;
}

/** Creates the child message of one handoff and seals it with this agent's key for that edge. */
export function sealHandoff(delivery: Delivery, draft: HandoffDraft, at: HandoffPlace): SealedHandoff {
  const { place, message, spent } = delivery;
  const receiver = place.team.agents.get(draft.to);
  if (message === null || receiver === undefined)
    throw new UndeclaredTransitionError(place.agent.id, draft.to);
  const { options } = draft;
  const child = createNext({
    parent: message.envelope,
    parentDigest: message.digest,
    from: place.agent.id,
    to: receiver.id,
    contract: draft.contract.id,
    payload: draft.payload,
    index: at.index,
    traceparent: traceparentOfSend({
      to: draft.to,
      parent: delivery.traceparent,
      messageId: () =>
        childIdOf(message.envelope.meta.message_id, {
          from: place.agent.name,
          to: draft.to,
          index: at.index,
        }),
    }),
    spent: { cost: spent.cost, tokens: spent.tokens },
    conversation: conversationFor(delivery, { message, draft }),
    ...(options.handoffType === undefined ? {} : { handoffType: options.handoffType }),
    ...(options.reason === undefined ? {} : { reason: options.reason }),
    ...(options.expectedOutput === undefined ? {} : { expectedOutput: options.expectedOutput }),
    ...(options.capabilitiesRequired === undefined
      ? {}
      : { capabilitiesRequired: options.capabilitiesRequired }),
    ...(at.marks === undefined ? {} : { marks: at.marks }),
    ...tightenedBy(receiver.options.ttlMs, at.ttlMs),
  });
  const envelope = withScope(child, { parent: message.envelope, asked: options.mayCause });
  const key = place.keyring.signing(place.agent.name, draft.to);
  const sealed = seal({ envelope, queue: draft.to, key, parent: message.envelope });
  return { envelope, bytes: sealed.bytes, message: sealed.message, index: at.index };
}

function tightenedBy(own: number | undefined, asked: number | undefined): Pick<NextDraft, "tighten"> {
  if (own === undefined && asked === undefined) return NOT_TIGHTENED;
  return { tighten: { ttlMs: Math.min(own ?? Infinity, asked ?? Infinity) } };
}

const NOT_TIGHTENED = {};

/** Returns the job that delivers a sealed handoff to its receiver. */
export function sendOf(to: string, child: SealedHandoff): Job {
  return {
    lane: "fresh",
    agent: to,
    jobId: child.envelope.meta.message_id,
    data: { ...child.message },
    delayMs: 0,
    priority: child.envelope.task_context.priority,
  };
}

/** Returns the opened message for the run's record. */
export function openedBy(to: string, { envelope }: SealedHandoff): OpenedMessage {
  const { meta } = envelope;
  return { message_id: meta.message_id, agent: to, ...branchFieldOf(meta) };
}

/** Returns a handoff's conversation: the incoming or replaced one, without private parts, with all labels read. */
function conversationFor(
  delivery: Pick<Delivery, "place" | "taint" | "received">,
  { message, draft }: { readonly message: Message; readonly draft: HandoffDraft },
): Conversation {
  const { to, options } = draft;
  const came = message.envelope.conversation;
  const own = options.conversation === undefined ? came : { ...came, ...options.conversation };
  const preserved = options.preserveHistory === false ? withoutHistory(own) : withoutHealedAnswers(own);
  const labels = labelsOfDelivery(delivery);
  if (labels.length === 0) return preserved;
  const taint = carryTaint(labels, delivery.place.agent.options.guard?.clean?.[to] ?? []);
  if (taint === null) return preserved;
  return { ...preserved, metadata: { ...preserved.metadata, [TAINT_FIELD]: taint } };
}

/** Drops the history but keeps open calls, which nothing else would end. */
function withoutHistory(conversation: Conversation): Conversation {
  return { history: [], tool_state: openToolState(conversation), metadata: {} };
}

/** Narrows a child's scope as its sender asks; by default the child has its parent's. */
function withScope(
  envelope: Envelope,
  { parent, asked }: { readonly parent: Envelope; readonly asked: readonly string[] | undefined },
): Envelope {
  if (asked === undefined) return envelope;
  const scope = narrowScope(scopeOf(parent.meta), asked);
  return { ...envelope, meta: { ...envelope.meta, [SCOPE_FIELD]: [...scope] } };
}

/** Returns the `branch` field of a run's record for a message; empty if it belongs to none. */
export function branchFieldOf(meta: EnvelopeMeta | undefined): { readonly branch?: string } {
  const branch = meta === undefined ? null : branchOf(meta);
  return branch === null ? NO_BRANCH : { branch: branchTag(branch) };
}

const NO_BRANCH = {};
