import type { Hold } from "#shared/bullmq-ward";
import { defineRefusal } from "#shared/http";
import type { Problem } from "#shared/http";

/** The link was used, is too old, or never was one; or the API key is none of ours. */
export class LoginRefusedError extends defineRefusal({
  code: "LOGIN_REFUSED",
  status: 401,
  message: "This login is not, or no longer, valid.",
  remedy: "Take the newest link that the launcher printed, or an API key of scope viewer, operator or admin.",
}) {}

/** A page of another site asks for a change, with this browser's session. */
export class CrossOriginError extends defineRefusal({
  code: "CROSS_ORIGIN",
  status: 403,
  message: "The request comes from another site, or does not say from where.",
  remedy: "Use the console's own page, or an API key in the Authorization header.",
}) {}

/** The message cannot be read here, so that nothing can be said about a new value for it. */
export class MessageUnreadableError extends defineRefusal((caseId: string) => ({
  code: "MESSAGE_UNREADABLE",
  status: 409,
  message: `The message of case ${caseId.slice(0, 200)} never verified, so that it cannot be edited.`,
  remedy: "Discard it; ask its sender to send it anew.",
})) {}

/** It was changed after the deciding person had read it. `state`: what it is now, in words. `by`: null if unknown. */
export class ChangedMeanwhileError extends defineRefusal(
  ({ what, state, by }: { readonly what: string; readonly state: string; readonly by: string | null }) => ({
    code: "CHANGED_MEANWHILE",
    status: 409,
    message: `The ${what} was changed${by === null ? "" : ` by ${by.slice(0, 200)}`} after you had looked at it: it is now ${state}. Nothing of yours was done.`,
    remedy: "Look at what it is now, and decide anew.",
  }),
) {}

/** The case holds no tool call that waits for a person. */
export class NoApprovalError extends defineRefusal((caseId: string) => ({
  code: "NO_APPROVAL_WAITS",
  status: 409,
  message: `Case ${caseId.slice(0, 64)} holds no tool call that waits for a person's word.`,
  remedy: "Look at the case again: decide about its message with the other operations.",
})) {}

/** A recipe that was proposed is not kept. `stale`: it is there already. `full`: its group has too many. */
export class RecipeRefusedError extends defineRefusal((why: "stale" | "full") => ({
  code: "RECIPE_REFUSED",
  status: 409,
  message: why === "full" ? "There are as many recipes as are kept." : "The group has this recipe already.",
  remedy: "Look at the recipes of the group: an admin may approve or retire one.",
})) {}

/** No model is there to write a cause note, or the group has no case that it could be written from. */
export class CauseUnavailableError extends defineRefusal((why: "rehearsal" | "no_case") => ({
  code: "CAUSE_UNAVAILABLE",
  status: 409,
  message:
    why === "rehearsal"
      ? "This is a rehearsal: there is no model that could write a cause note."
      : "The group has no open case from which a cause note could be written.",
  remedy:
    why === "rehearsal"
      ? "Set OPENAI_API_KEY or OPENAI_BASE_URL, and start anew."
      : "Ask again when a message of the group has come.",
})) {}

/** The key has its share of the pages that watch. */
export class TooManyStreamsError extends defineRefusal({
  code: "TOO_MANY_STREAMS",
  status: 429,
  message: "Too many pages watch this console with this key.",
  remedy: "Close other pages of it.",
  headers: { "retry-after": "10" },
}) {}

/** There are as many API keys as are kept. */
export class ApiKeysFullError extends defineRefusal({
  code: "API_KEYS_FULL",
  status: 409,
  message: "There are as many API keys as are kept.",
  remedy: "Revoke keys that nobody uses.",
}) {}

/** The Redis of an attached queue does not answer. */
export class AttachedAwayError extends defineRefusal((queue: string) => ({
  code: "ATTACHED_AWAY",
  status: 503,
  message: `The Redis of the attached queue ${queue.slice(0, 200)} does not answer. If something was asked for, look whether it was done.`,
  remedy:
    "Look whether the Redis runs that SUTURE_ATTACHED_REDIS_URL names; the page connects again by itself.",
})) {}

/** A job of an attached queue may not go back, or its edit cannot be undone. It stays as it is. */
export class AttachedJobHeldError extends defineRefusal((reason: Hold | "nothing_kept" | "no_repair") => ({
  code: "ATTACHED_JOB_HELD",
  status: 409,
  message: `The job stays as it is: ${reason.replaceAll("_", " ")}.`,
  remedy: "See the reasons in docs/guides/bullmq-ward.md.",
})) {}

/** No gateway took an order in time; none will carry it out later. */
export class NoGatewayError extends defineRefusal({
  code: "NO_GATEWAY",
  status: 503,
  message: "No gateway took the order within 10 seconds.",
  remedy: "Look whether a gateway runs, and at the list of runs before you order it again.",
}) {}

/** The gateway refused to begin the run; in its own words. */
export class ReplayRefusedError extends defineRefusal(
  ({ code, status, detail, remedy, errors }: Problem) => ({
    code: code.toUpperCase(),
    status,
    message: detail.replace(remedy, "").trim(),
    remedy,
    issues: errors.map(({ pointer: path, ...issue }) => ({ path, ...issue })),
  }),
) {}

/** A step of a restore does not fit how things stand. */
export class RestoreRefusedError extends defineRefusal((problem: string) => ({
  code: "RESTORE_REFUSED",
  status: 409,
  message: `The restore cannot go on so: ${problem}.`,
  remedy: 'Stop the agents, then "suture restore begin", "list" and "end", in this order.',
})) {}
