import { SutureError, defineError } from "#shared/errors";

/** An admission is malformed: a bug in the sender, or foreign data. */
export class AdmissionInvalidError extends SutureError {
  /** Names of the wrong fields. */
  readonly places: readonly string[];

  constructor(caseId: string, places: readonly string[]) {
    super({
      code: "WARD_ADMISSION_INVALID",
      failureClass: "validation_error",
      severity: "fatal",
      message: `The admission of case ${caseId.slice(0, 64)} is malformed at ${places.slice(0, 5).join(", ")}.`,
      remedy: "Check the version of the process that admitted it; the entry is kept aside meanwhile.",
    });
    this.places = places;
  }
}

/** A signed admission of an unknown form: a newer release wrote it. */
export class AdmissionNewerError extends defineError((caseId: string, places: readonly string[]) => ({
  code: "WARD_ADMISSION_NEWER",
  failureClass: "unsupported_version",
  message: `The admission of case ${caseId.slice(0, 64)} is signed, but has an unknown form at ${places.slice(0, 5).join(", ")}.`,
  remedy: "Upgrade the surgeon: the case waits for a release that can read it.",
})) {}

/** The signer of an admission is not involved in the message, or the message's own seal is invalid. */
export class AdmissionForeignError extends defineError((caseId: string, problem: string) => ({
  code: "WARD_ADMISSION_FOREIGN",
  failureClass: "untrusted",
  severity: "fatal",
  message: `The admission of case ${caseId} cannot be trusted: ${problem}.`,
  remedy: "Find out who wrote it; the case is quarantined and is not read automatically.",
})) {}

/** The message had expired when it died: only a person may send it on. */
export class MessageExpiredError extends defineError((caseId: string) => ({
  code: "WARD_MESSAGE_EXPIRED",
  failureClass: "expired",
  message: `The message of case ${caseId} had expired when it died.`,
  remedy: "Release it to run it now with a new expiry, or discard it.",
})) {}

/** The case changed while a decision was made. */
export class CaseChangedError extends defineError((caseId: string) => ({
  code: "WARD_CASE_CHANGED",
  failureClass: "transient",
  message: `Case ${caseId} changed meanwhile.`,
  remedy: "Reload the case and decide again.",
})) {}

/** The decision is not allowed in the case's status. */
export class DecisionRefusedError extends defineError((caseId: string, problem: string) => ({
  code: "WARD_DECISION_REFUSED",
  failureClass: "validation_error",
  message: `This cannot be done with case ${caseId}: ${problem}.`,
  remedy: "Check the case's status, and the named fields against the contract.",
})) {}

/** There is no such batch, or it is in another state. */
export class BatchStateError extends defineError((batchId: string, problem: string) => ({
  code: "WARD_BATCH_STATE",
  failureClass: "validation_error",
  message: `This cannot be done with batch ${batchId.slice(0, 64)}: ${problem}.`,
  remedy: "Check the batch's state.",
})) {}
