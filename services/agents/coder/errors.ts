import { errorClass } from "#shared/errors";

/** A checkout is larger than what may be copied and searched. */
export const CheckoutTooLargeError = errorClass(
  "CODER_CHECKOUT_TOO_LARGE",
  (bound: "files" | "bytes", max: number) => ({
    failureClass: "handler_error",
    severity: "fatal",
    message: `The checkout has more than ${max} ${bound}.`,
    remedy: "Name a smaller folder as the checkout, without what the tests do not need.",
  }),
);

/** The checkout was there when the task was planned and is not any more. */
export const CheckoutGoneError = errorClass("CODER_CHECKOUT_GONE", (checkout: string) => ({
  failureClass: "transient",
  message: `There is no checkout called ${checkout} any more.`,
  remedy: "Put the checkout back under SUTURE_CHECKOUTS; the message is tried again.",
}));
