import { createHmac } from "node:crypto";
import { now } from "#shared/clock";
import type { Secret, WebhookReceiver } from "#shared/config";
import { redactValue } from "#shared/guard";
import { CLOUD_EVENT_TYPE, toCloudEvent } from "#shared/http";
import type { Notice } from "#shared/store/feedback";
import { defineError } from "#shared/errors";

/** A webhook receiver did not accept a notice. It is retried until it is too old. */
class WebhookNotTakenError extends defineError((origin: string, status: number | null, cause?: unknown) => ({
  code: "WEBHOOK_NOT_TAKEN",
  failureClass: "transient",
  message: `${origin} ${status === null ? "did not answer" : `answered ${status} to`} a webhook.`,
  remedy: "Look at that receiver: it should answer 2xx within 10 s. What it missed is sent again.",
  cause,
})) {}

/** Posts one signed notice; any 2xx resolves. @throws {WebhookNotTakenError} Another status, redirect or timeout. */
export async function postWebhook(
  notice: Notice,
  sending: {
    readonly receiver: WebhookReceiver;
    /** `source` of CloudEvents. */
    readonly source: string;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { receiver, timeoutMs } = sending;
  const { id } = notice;
  const { contentType, body } = writeBody(notice, receiver, sending.source);
  const url = receiver.url.reveal();
  const origin = new URL(url).origin;
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": contentType,
        "user-agent": "suture",
        ...signWebhook({ id, atMs: now(), body, secrets: receiver.secrets }),
      },
      body,
      redirect: "manual",
      signal: AbortSignal.any([sending.signal, AbortSignal.timeout(timeoutMs)]),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new WebhookNotTakenError(origin, answer.status);
  } catch (error) {
    if (error instanceof WebhookNotTakenError) throw error;
    throw new WebhookNotTakenError(origin, null, error);
  }
}

function writeBody(
  { id, type, at, data: text }: Notice,
  { redact, format }: WebhookReceiver,
  source: string,
): { readonly contentType: string; readonly body: string } {
  const own: unknown = JSON.parse(text);
  // `data` is our own, but contains producer names chosen by others.
  const data = redact ? redactValue(own).value : own;
  if (format === "standard")
    return { contentType: "application/json", body: JSON.stringify({ type, timestamp: at, data }) };
  const event = toCloudEvent({ id, source, type, time: at, data });
  return { contentType: CLOUD_EVENT_TYPE, body: JSON.stringify(event) };
}

/** Signature headers of Standard Webhooks 1.0. */
type WebhookHeaders = Readonly<Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>>;

/**
 * Signs a body with HMAC-SHA-256 over `id.timestamp.body`, once with each secret; receivers accept any signature.
 * @param message.secrets - Each `whsec_` and base64 of a key. @param message.atMs - Time of this very try, in ms.
 */
export function signWebhook(message: {
  readonly id: string;
  readonly atMs: number;
  readonly body: string;
  readonly secrets: readonly Secret[];
}): WebhookHeaders {
  const { id, atMs, body, secrets } = message;
  const seconds = String(Math.floor(atMs / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.reveal().slice("whsec_".length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": signatures.join(" ") };
}
