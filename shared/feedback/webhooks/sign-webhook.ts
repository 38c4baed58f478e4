import { createHmac } from "node:crypto";
import type { Secret } from "#shared/config";

/** Signature headers of Standard Webhooks 1.0. */
export type WebhookHeaders = Readonly<
  Record<"webhook-id" | "webhook-timestamp" | "webhook-signature", string>
>;

/**
 * Signs a body with HMAC-SHA-256 over `id.timestamp.body`, once with each secret; a receiver accepts any of the
 * signatures. It compares them in constant time and refuses times that are minutes off.
 *
 * @param message.secrets - Each `whsec_` and base64 of a key.
 * @param message.atMs - Time of this very try, in ms.
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
