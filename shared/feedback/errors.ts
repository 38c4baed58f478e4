import { SutureError } from "#shared/errors";

/** A webhook receiver did not accept a notice. It is retried until it is too old. */
export class WebhookNotTakenError extends SutureError {
  /** @param refused.status - The HTTP status; null without a response. */
  constructor(refused: { readonly origin: string; readonly status: number | null }, cause?: unknown) {
    const { origin, status } = refused;
    super({
      code: "WEBHOOK_NOT_TAKEN",
      failureClass: "transient",
      message: `${origin} ${status === null ? "did not answer" : `answered ${status} to`} a webhook.`,
      remedy: "Look at that receiver: it should answer 2xx within 10 s. What it missed is sent again.",
      cause,
    });
  }
}
