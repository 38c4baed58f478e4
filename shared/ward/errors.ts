import { SutureError } from "#shared/errors";
import type { Issue } from "#shared/errors";

/** What came to the ward is not an admission: a bug in the sender, or foreign data. */
export class AdmissionInvalidError extends SutureError {
  /** Names of the members that are wrong. */
  readonly places: readonly string[];

  constructor(caseId: string, places: readonly string[]) {
    super({
      code: "WARD_ADMISSION_INVALID",
      failureClass: "validation_error",
      severity: "fatal",
      message: `The admission of case ${caseId.slice(0, 64)} is not one: it is wrong at ${places.slice(0, 5).join(", ")}.`,
      remedy:
        "Look at the version of the process that admitted it; the message stays in its outbox meanwhile.",
    });
    this.places = places;
  }
}

/** A signed admission of a form that this release does not know: a newer process wrote it. */
export class AdmissionNewerError extends SutureError {
  constructor(caseId: string, places: readonly string[]) {
    super({
      code: "WARD_ADMISSION_NEWER",
      failureClass: "unsupported_version",
      message: `The admission of case ${caseId.slice(0, 64)} is signed and of a form not known here, at ${places.slice(0, 5).join(", ")}.`,
      remedy: "Upgrade the surgeon: the case waits for one that can read it.",
    });
  }
}

/** Who signed the admission had no business with this message, or the message's own seal does not hold. */
export class AdmissionForeignError extends SutureError {
  constructor(caseId: string, problem: string) {
    super({
      code: "WARD_ADMISSION_FOREIGN",
      failureClass: "untrusted",
      severity: "fatal",
      message: `The admission of case ${caseId} is not to be believed: ${problem}.`,
      remedy: "Find out who wrote it; the case waits in quarantine and no machine reads it.",
    });
  }
}

/** The message's time was over when it died: only a person may send it on. */
export class MessageExpiredError extends SutureError {
  constructor(caseId: string) {
    super({
      code: "WARD_MESSAGE_EXPIRED",
      failureClass: "expired",
      message: `The message of case ${caseId} had expired when it died.`,
      remedy: "Release it to run it now, with a fresh life, or discard it.",
    });
  }
}

/** The case moved on while somebody decided about it. */
export class CaseChangedError extends SutureError {
  constructor(caseId: string) {
    super({
      code: "WARD_CASE_CHANGED",
      failureClass: "transient",
      message: `Case ${caseId} changed meanwhile.`,
      remedy: "Look at it again and decide anew.",
    });
  }
}

/** The decision does not fit where the case stands. */
export class DecisionRefusedError extends SutureError {
  constructor(caseId: string, problem: string, issues: readonly Issue[] = []) {
    super({
      code: "WARD_DECISION_REFUSED",
      failureClass: "validation_error",
      message: `This cannot be done with case ${caseId}: ${problem}.`,
      remedy: "Look at the case's status and at what the contract says about the named fields.",
      issues,
    });
  }
}

/** There is no such batch, or it is not in a state for that. */
export class BatchStateError extends SutureError {
  constructor(batchId: string, problem: string) {
    super({
      code: "WARD_BATCH_STATE",
      failureClass: "validation_error",
      message: `This cannot be done with batch ${batchId.slice(0, 64)}: ${problem}.`,
      remedy: "Look at the batch's state.",
    });
  }
}
