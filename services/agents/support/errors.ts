import { defineError } from "#shared/errors";

/** The mail server will not take a letter. Its words may hold the customer's address, so only the code is told. */
export class MailRefusedError extends defineError((status: number) => ({
  code: "SUPPORT_MAIL_REFUSED",
  failureClass: "handler_error",
  severity: "fatal",
  message: `The mail server refused the answer with code ${status}.`,
  remedy:
    "Look the code up in the mail server's log: a wrong password, a sender it does not know, a dead mailbox.",
})) {}

/** The connection broke while a letter was sent: it may have arrived. */
export class MailUncertainError extends defineError((messageId: string) => ({
  code: "SUPPORT_MAIL_UNCERTAIN",
  failureClass: "handler_error",
  severity: "fatal",
  message: `It is not known whether the answer ${messageId} was sent.`,
  remedy: "Look for that Message-ID in the mail server's log; release the message only if it is not there.",
})) {}

/** The drafted answer leaves out a fact that it must hold verbatim. */
export class ReplyIncompleteError extends defineError((missingLabels: readonly string[]) => ({
  code: "SUPPORT_REPLY_INCOMPLETE",
  failureClass: "content_error",
  message: `The drafted answer does not hold: ${missingLabels.join(", ")}.`,
  remedy: "Complete the draft in the case, or change the reply prompt if it keeps happening.",
})) {}

/** The drafted answer says what was not done. */
export class ReplyUnfoundedError extends defineError((claims: readonly string[]) => ({
  code: "SUPPORT_REPLY_UNFOUNDED",
  failureClass: "content_error",
  message: `The drafted answer states ${claims.join(", ")}.`,
  remedy: "Correct the draft in the case, or change the reply prompt if it keeps happening.",
})) {}
