import { defineError } from "#shared/errors";

/** A checkout is larger than what may be copied and searched. */
export class CheckoutTooLargeError extends defineError((bound: "files" | "bytes", max: number) => ({
  code: "CODER_CHECKOUT_TOO_LARGE",
  failureClass: "handler_error",
  severity: "fatal",
  message: `The checkout has more than ${max} ${bound}.`,
  remedy: "Name a smaller folder as the checkout, without what the tests do not need.",
})) {}

/** The checkout was there when the task was planned and is not any more. */
export class CheckoutGoneError extends defineError((checkout: string) => ({
  code: "CODER_CHECKOUT_GONE",
  failureClass: "transient",
  message: `There is no checkout called ${checkout} any more.`,
  remedy: "Put the checkout back under SUTURE_CHECKOUTS; the message is tried again.",
})) {}
