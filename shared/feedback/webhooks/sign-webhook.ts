import { createHmac } from "node:crypto";
import type { Secret } from "#shared/config";

/** Signature headers of Standard Webhooks 1.0. */
export type WebhookHeaders = Readonly<
  Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>
>;

/**
 * Signs a body with HMAC-SHA-256 over `id.timestamp.body`. The receiver compares the signature in constant time and
 * refuses times that are minutes off.
 *
 * @param message.secret - `whsec_` and base64 of the key.
 * @param message.atMs - Time of this very try, in ms.
 */
export function signWebhook(message: {
  readonly id: string;
  readonly atMs: number;
  readonly body: string;
  readonly secret: Secret;
}): WebhookHeaders {
  const { id, atMs, body, secret } = message;
  const seconds = String(Math.floor(atMs / 1000));
  const key = Buffer.from(secret.reveal().slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": seconds, "webhook-signature": `v1,${signature}` };
}
