import type { Contract } from "#shared/contract";
import { SutureError, defineError } from "#shared/errors";
import type { Issue } from "#shared/errors";

/** An agent's declaration is invalid. A bug of its author, found at start-up. */
export class AgentDefinitionError extends defineError((id: string, problem: string) => ({
  code: "AGENT_DEFINITION",
  failureClass: "handler_error",
  severity: "fatal",
  message: `Agent ${id} cannot be used: ${problem}.`,
  remedy: "Correct the declaration and start again.",
})) {}

/** A team's declaration is invalid. A bug of its author, found at start-up. */
export class TeamDefinitionError extends defineError((name: string, problem: string) => ({
  code: "TEAM_DEFINITION",
  failureClass: "handler_error",
  severity: "fatal",
  message: `Team ${name} cannot be used: ${problem}.`,
  remedy: "Correct the team's declaration and start again.",
})) {}

/** The process crashed repeatedly while it handled this message (poison message). */
export class CrashLoopError extends defineError((messageId: string, stalls: number) => ({
  code: "CRASH_LOOP",
  failureClass: "crash_loop",
  severity: "fatal",
  message: `Message ${messageId} was being handled ${stalls} times when its worker died or stalled.`,
  remedy: "Find out what in this message crashes the process before you release it.",
})) {}

/** The receiver lacks a required capability; another agent may have it. */
export class MissingCapabilityError extends defineError((agent: string, missing: readonly string[]) => ({
  code: "CAPABILITY_MISSING",
  failureClass: "rejected",
  message: `${agent} lacks ${missing.join(", ")}.`,
  remedy: "Declare the capability, name a fallback on the edge, or start an agent that has it.",
})) {}

/** A message id was reused with other bytes. */
export class ForeignBytesError extends defineError((messageId: string) => ({
  code: "MESSAGE_BYTES_DIFFER",
  failureClass: "untrusted",
  severity: "fatal",
  message: `Message ${messageId} was seen before with other bytes.`,
  remedy: "Check for a producer that reuses ids, or for tampering; the message is quarantined unread.",
})) {}

/** The run was cancelled. */
export class RunCancelledError extends defineError((runId: string) => ({
  code: "RUN_CANCELLED",
  failureClass: "cancelled",
  severity: "fatal",
  message: `Run ${runId} was cancelled.`,
  remedy: "No action needed. Submit the task again if the cancellation was a mistake.",
})) {}

/** The handler exceeded its time limit (deadline). */
export class HandlerTimeoutError extends defineError((agent: string, timeoutMs: number) => ({
  code: "HANDLER_TIMEOUT",
  failureClass: "timeout",
  message: `The handler of ${agent} timed out after ${timeoutMs} ms.`,
  remedy: "Pass ctx.signal to everything that waits, shorten the work, or raise handlerTimeoutMs.",
})) {}

/** The handler returned something that is not an outcome. */
export class InvalidOutcomeError extends defineError((agent: string) => ({
  code: "HANDLER_OUTCOME_INVALID",
  failureClass: "handler_error",
  message: `The handler of ${agent} returned no outcome.`,
  remedy: "Return the value of ctx.handoff, ctx.complete or ctx.reject.",
})) {}

/** The team declares no such transition. */
export class UndeclaredTransitionError extends defineError((agent: string, to: string) => ({
  code: "TRANSITION_UNDECLARED",
  failureClass: "handler_error",
  message: `${agent} may not hand to ${to.slice(0, 64)}: the team declares no such transition.`,
  remedy: "Add the receiver to the agent's `to`, or hand to one that is there.",
})) {}

/** The handler continues after its delivery ended: timeout, lost lock or shutdown. */
export class ContextClosedError extends defineError((agent: string) => ({
  code: "CONTEXT_CLOSED",
  failureClass: "transient",
  message: `A handler of ${agent} continued after its delivery had ended.`,
  remedy: "Stop when ctx.signal is aborted; calls after the end are refused.",
})) {}

/** The worker that claimed a side effect died, so it is unknown whether the effect happened. */
export class EffectUncertainError extends defineError((agent: string, messageId: string, key: string) => ({
  code: "EFFECT_UNCERTAIN",
  failureClass: "crash_loop",
  severity: "fatal",
  message: `A worker of ${agent} died between claiming a side effect and recording it, for message ${messageId}; idempotency key ${key}.`,
  remedy:
    "Find out whether the effect happened, then release or discard the message; pass ctx.once a reconcile function.",
})) {}

/** Another worker is executing the same side effect. */
export class EffectBusyError extends defineError((agent: string) => ({
  code: "EFFECT_BUSY",
  failureClass: "transient",
  message: `Another worker of ${agent} is executing this side effect right now.`,
  remedy: "No action needed: the message is retried and then finds the recorded result.",
})) {}

/** A model's answer stayed malformed after first aid and one re-ask. Carries the answer for the ward. */
export class UnusableAnswerError extends SutureError {
  readonly step: string;
  readonly text: string;
  readonly contract: Contract;
  readonly model: string;
  readonly ending: "whole" | "cut" | undefined;

  constructor(answer: {
    readonly step: string;
    readonly text: string;
    /** End of the answer: `whole` by itself, `cut` at its limit of tokens. Default: not known. */
    readonly ending?: "whole" | "cut" | undefined;
    readonly contract: Contract;
    readonly model: string;
    /** `unsafe`: it matches its contract, and its agent's guard withholds it. */
    readonly failureClass: "parse_error" | "validation_error" | "content_error" | "unsafe";
    readonly issues: readonly Issue[];
  }) {
    const fault = answer.failureClass === "unsafe" ? "is withheld" : `does not satisfy ${answer.contract.id}`;
    super({
      code: "MODEL_ANSWER_UNUSABLE",
      failureClass: answer.failureClass,
      message: `The answer of ${answer.model} in step ${answer.step} ${fault}.`,
      remedy: "The ward repairs the answer; if it keeps happening, check the prompt or the model.",
      issues: answer.issues,
    });
    this.step = answer.step;
    this.text = answer.text;
    this.contract = answer.contract;
    this.model = answer.model;
    this.ending = answer.ending;
  }
}

/** The agent rejected the message with `ctx.reject`. */
export class RejectedError extends defineError((agent: string, reason: string) => ({
  code: "AGENT_REJECTED",
  failureClass: "rejected",
  message: `${agent} rejected the handoff: ${reason.slice(0, 500)}`,
  remedy: "The sender's fallbacks are tried, then a capable agent; otherwise choose a receiver in the ward.",
})) {}

/** BullMQ gave the job up, or delivers it in a loop, without a handler having settled it. */
export class StrandedError extends defineError((messageId: string, why: "failed" | "cycling") => ({
  code: "MESSAGE_STRANDED",
  failureClass: "crash_loop",
  severity: "fatal",
  message:
    why === "failed"
      ? `The engine gave up message ${messageId} without its handler having settled it.`
      : `Message ${messageId} is handed out again and again and never settled.`,
  remedy: "Check the stored bytes of the case; release it only if they are valid.",
})) {}

/** The stored message was deleted, and no copy of its bytes is left. */
export class MessageGoneError extends defineError((messageId: string) => ({
  code: "MESSAGE_GONE",
  failureClass: "untrusted",
  severity: "fatal",
  message: `The stored data of message ${messageId} was deleted from its queue.`,
  remedy:
    "Find out which tool deletes jobs; discard the case, and replay the run from a message that is still stored.",
})) {}

/** A prompt file lacks the part that a step asks for. A bug of its author, found at start-up. */
export class PromptPartMissingError extends defineError((part: string) => ({
  code: "PROMPT_PART_MISSING",
  failureClass: "handler_error",
  severity: "fatal",
  message: `The prompt has no part called ${part}.`,
  remedy: "Add a heading of that name to the agent's prompt.md.",
})) {}

/** The message waited for no branches of a fan-out. */
export class NothingGatheredError extends defineError((agent: string) => ({
  code: "NOTHING_GATHERED",
  failureClass: "handler_error",
  message: `The handler of ${agent} called ctx.gathered, but its message waited for no branches.`,
  remedy: "Call it only in joining agents, and reach these only by fan-outs.",
})) {}
