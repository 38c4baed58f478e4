import { agentNameOf, createDischarge, SURGEON_ID } from "#shared/envelope";
import { readTaint, TAINT_FIELD } from "#shared/guard";
import { digestOf, seal } from "#shared/envelope/seals";
import type { Conversation, Envelope } from "#shared/envelope";
import type { Keyring } from "#shared/envelope/keys";
import type { JsonValue } from "#shared/schema";
import type { Store } from "#shared/store";
import type { CaseFence, StoredCase } from "#shared/store/cases";
import type { Job } from "#shared/store/queues";
import { recordOf, paidAnswersOf } from "../case-record.ts";
import { MessageExpiredError } from "../errors.ts";
import { healedAnswersOf, RELEASED_STEP, withHealedAnswer, withoutHealedAnswers } from "./healed-answers.ts";
import { labelRepair } from "./label-repair.ts";
import { moveCase, operated, replaced } from "./move-case.ts";
import { healingRecipe, spentOn } from "./operation.ts";
import type { OperationRecord } from "./operation.ts";
import type { ReadDeadMessage } from "../admission/read-admission.ts";

/** The message to send instead of the dead one. */
export interface Remedy {
  /** The subject's repaired value; absent: unchanged. */
  readonly value?: unknown;
  /** Contract of a repaired payload. Default: the dead message's. */
  readonly contract?: string;
  /** `name@version` of another receiver. Default: the dead message's. */
  readonly to?: string;
}

export interface Discharge {
  readonly from: StoredCase;
  readonly message: ReadDeadMessage;
  readonly remedy: Remedy;
  readonly keyring: Keyring;
  /** `discharged`: repaired by the ladder; `rerouted`: sent to another agent; `released`: sent by a person. */
  readonly kind: "discharged" | "rerouted" | "released";
  readonly by: string;
  readonly why: string;
  readonly operation: OperationRecord | null;
  /** Taint labels that the receiver declares for its payload, by JSON pointer. */
  readonly untrusted: Readonly<Record<string, string>>;
  readonly fence: CaseFence;
  readonly detail?: Readonly<Record<string, unknown>>;
  /** W3C trace context of the new message. Default: the dead message's. */
  readonly traceparent?: string;
}

/**
 * Redrives a case: sends a new message instead of the dead one, sealed on the surgeon's own edge. The case's change
 * and the message are one script: a crash before it sends nothing, a crash after it has sent.
 *
 * @returns The new message's id; null if the case was changed meanwhile or another surgeon holds the job.
 * @throws {MessageExpiredError} The message had expired when it died, and no person has released it.
 * @throws {SutureError} The new message cannot be sealed, e.g. because it is too large.
 */
export async function dischargeCase(store: Store, request: Discharge): Promise<string | null> {
  const { from, kind, operation, fence, remedy } = request;
  if (kind !== "released" && hadExpired(request)) throw new MessageExpiredError(from.case_id);
  const { envelope, send } = sealDischarge(store, request);
  const message_id = envelope.meta.message_id;
  const agent = send.agent;
  const recipeId = healingRecipe(operation);
  const detail = {
    message_id,
    agent,
    ...(recipeId === null ? {} : { recipe_id: recipeId }),
    ...request.detail,
  };
  const reroutes = recordOf(from).reroutes + (kind === "rerouted" ? 1 : 0);
  const isMoved = await moveCase(store, {
    from,
    to: kind === "released" ? "released" : "discharged",
    by: request.by,
    action: kind,
    why: request.why,
    detail: { ...detail, healed: "value" in remedy },
    sets: { discharged_as: message_id, discharged_to: agent, reroutes, operation },
    removes: ["decision", "proposal", "diagnosis", "job_id", ...paidAnswersOf(operation)],
    changes: [
      ...(operation === null ? [] : [operated(from, operation)]),
      replaced(from, { type: kind, message_id, agent, detail: request.detail ?? {} }),
    ],
    sends: [send],
    fence,
    ...(recipeId === null ? {} : { recipeId }),
  });
  return isMoved ? message_id : null;
}

function hadExpired({ message }: Discharge): boolean {
  const { expires_at } = message.envelope.meta;
  return expires_at !== null && Date.parse(message.record.at) >= Date.parse(expires_at);
}

function sealDischarge({ options }: Store, request: Discharge): { envelope: Envelope; send: Job } {
  const { from, message, remedy, keyring, operation } = request;
  const { record, envelope: dead } = message;
  const isAnswer = record.subject.kind === "answer" && "value" in remedy;
  const created = createDischarge({
    dead,
    deadDigest: digestOf(record.bytes ?? ""),
    operation: `${from.case_id}.${from.version}`,
    caseId: from.case_id,
    diedAtMs: Date.parse(record.at),
    ...(options.taskLifeMs === undefined ? {} : { ttlMsMin: options.taskLifeMs }),
    ...(remedy.to === undefined ? {} : { to: remedy.to }),
    ...(request.traceparent === undefined ? {} : { traceparent: request.traceparent }),
    ...(remedy.contract === undefined || isAnswer ? {} : { contract: remedy.contract }),
    originalSeal: message.origin.seal,
    conversation: isAnswer ? conversationOf(request) : relabelled(conversationOf(request), request),
    ...("value" in remedy && !isAnswer ? { payload: remedy.value } : {}),
  });
  const envelope = operation === null ? created : withCost(created, operation);
  const queue = agentNameOf(envelope.meta.target_agent);
  const sealed = seal({ envelope, queue, key: keyring.signing(agentNameOf(SURGEON_ID), queue) });
  return {
    envelope,
    send: {
      lane: "fresh",
      agent: queue,
      jobId: envelope.meta.message_id,
      data: { ...sealed.message },
      delayMs: 0,
      priority: envelope.task_context.priority,
    },
  };
}

/** Healed answers and approvals are for the agent that needed them; another receiver gets none. */
function conversationOf(request: Discharge): Conversation {
  const { message, remedy } = request;
  const { record, envelope } = message;
  const { conversation } = envelope;
  if (remedy.to !== undefined && agentNameOf(remedy.to) !== record.agent)
    return withoutHealedAnswers(conversation);
  if (record.subject.kind === "answer" && "value" in remedy)
    return withHealedAnswer(conversation, { step: record.subject.step, value: remedy.value });
  return withRelease(conversation, request);
}

/** Lists refusals of the guard that a person has overridden; trusted only under the surgeon's signature. */
function withRelease(conversation: Conversation, { kind, message }: Discharge): Conversation {
  const { failures, admitted_by, agent } = message.record;
  const codes = failures.flatMap(({ failure_class, code }) => (failure_class === "unsafe" ? [code] : []));
  if (kind !== "released" || codes.length === 0 || agentNameOf(admitted_by) !== agent) return conversation;
  const before = healedAnswersOf(conversation).get(RELEASED_STEP);
  const known: unknown[] = Array.isArray(before) ? before : [];
  return withHealedAnswer(conversation, { step: RELEASED_STEP, value: [...new Set([...known, ...codes])] });
}

/** Labels the places of a repaired payload. A healed answer is labelled as what its agent has read. */
function relabelled(conversation: Conversation, request: Discharge): Conversation {
  const { message, remedy, operation, untrusted } = request;
  if (!("value" in remedy)) return conversation;
  const healed = operation?.attempts.findLast(({ outcome }) => outcome === "healed");
  const taint = labelRepair({
    // Both are JSON: one was parsed from a sealed message, the other was proved.
    before: message.envelope.data_payload as JsonValue,
    after: remedy.value as JsonValue,
    byModel: healed?.procedure === "strong_model",
    provenance: healed?.provenance ?? [],
    came: readTaint(conversation.metadata),
    declared: untrusted,
  });
  if (taint === null) return conversation;
  return { ...conversation, metadata: { ...conversation.metadata, [TAINT_FIELD]: taint } };
}

/** Adds the cost of the repair to the run's budget. */
function withCost(envelope: Envelope, operation: OperationRecord): Envelope {
  const { cost, tokens } = spentOn(operation.attempts);
  const { billing } = envelope;
  return {
    ...envelope,
    billing: {
      ...billing,
      cost_so_far: billing.cost_so_far + cost,
      tokens_consumed: billing.tokens_consumed + tokens,
    },
  };
}
