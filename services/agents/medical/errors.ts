import { defineError } from "#shared/errors";

/** The duty desk did not take an emergency. Retried until it expires and waits for a person. */
export class DutyDeskUnavailableError extends defineError((cause?: unknown) => ({
  code: "MEDICAL_DUTY_DESK_UNAVAILABLE",
  failureClass: "transient",
  message: "The duty desk could not be told of an emergency.",
  remedy: "Tell the people on duty by other means, then look at the desk; the message is tried again.",
  cause,
})) {}

/** A follow-up rests on words that its summary does not have: a model made them up. */
export class FollowUpUngroundedError extends defineError({
  code: "MEDICAL_FOLLOW_UP_UNGROUNDED",
  failureClass: "content_error",
  message: "The follow-up rests on words that the summary does not have.",
  remedy: "Look at the follow-up in the case; if a model keeps doing this, change the specialists' prompt.",
  issues: [{ path: "/because", code: "not_in_summary", message: "the summary does not have these words" }],
}) {}

/** A text for a patient tells what only a doctor may. */
export class UnsafeQuestionError extends defineError((found: readonly string[]) => ({
  code: "MEDICAL_QUESTION_UNSAFE",
  failureClass: "content_error",
  message: `A second reader found in the question to the patient: ${found.join(", ")}.`,
  remedy: "Read the question in the case; if a model keeps doing this, change the prompt of its agent.",
  issues: [{ path: "/question", code: "unsafe", message: "only a doctor tells that" }],
})) {}
