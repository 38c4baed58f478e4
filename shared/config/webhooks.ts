import { z } from "zod";
import { readJson } from "./define-config.ts";
import { Secret } from "./secret.ts";

/** Events that a webhook can report. */
const WEBHOOK_EVENTS = [
  "fingerprint.new",
  "group.growing",
  "group.regressed",
  "quarantine.full",
  "producer.failing",
  "endpoint.paused",
  "endpoint.resumed",
] as const;

export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

const WEBHOOK_FORMATS = ["standard", "cloudevents"] as const;

const KEY_BYTES_MIN = 24;
const KEY_BYTES_MAX = 64;
const RECEIVERS_MAX = 20;
/** A secret and those that it replaces. */
const SECRETS_MAX = 3;
const URL_CHARS_MAX = 2000;

/** Key of a webhook's signatures, as Standard Webhooks writes it. */
export const webhookSecretField = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]+={0,2}$/, "is not whsec_ and base64")
  .refine(isLongEnough, `is not of ${KEY_BYTES_MIN} to ${KEY_BYTES_MAX} bytes`);

const receiver = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/, error: "is not an http:// or https:// address" })
      .max(URL_CHARS_MAX)
      .refine((url) => !hasLogin(url), "holds a user name or password"),
    secret: z.union([webhookSecretField, z.array(webhookSecretField).min(1).max(SECRETS_MAX)]),
    events: z.array(z.enum(WEBHOOK_EVENTS)).min(1).nullable().default(null),
    /** True: cards, addresses, numbers and secrets are redacted. */
    redact: z.boolean().default(true),
    /** `standard`: `{type, timestamp, data}`. `cloudevents`: CloudEvents 1.0 as structured JSON. */
    format: z.enum(WEBHOOK_FORMATS).default("standard"),
  })
  .transform(({ url, secret, ...rest }) => ({
    ...rest,
    /** May hold a token in its path or query; only its origin is ever logged. */
    url: new Secret(url),
    /** Each `whsec_` and base64 of a key. Bodies are signed with all of them, so that a secret can be rotated. */
    secrets: [secret].flat().map((one) => new Secret(one)),
  }));

/** A receiver of webhooks. `events` null: all. */
export type WebhookReceiver = Readonly<z.output<typeof receiver>>;

const receivers = z.array(receiver).max(RECEIVERS_MAX);

/** Reads the JSON list of `SUTURE_WEBHOOKS`; the problem's words hold no secret. */
export function parseWebhooks(
  text: string,
): { readonly webhooks: readonly WebhookReceiver[] } | { readonly problem: string } {
  const parsed = readJson(receivers, text);
  if ("problem" in parsed) return parsed;
  if (new Set(parsed.value.map(({ url }) => url.reveal())).size < parsed.value.length)
    return { problem: "names an address twice" };
  return { webhooks: parsed.value };
}

function hasLogin(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}

function isLongEnough(secret: string): boolean {
  const bytes = Buffer.from(secret.slice("whsec_".length), "base64").length;
  return bytes >= KEY_BYTES_MIN && bytes <= KEY_BYTES_MAX;
}
