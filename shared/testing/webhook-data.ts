import { z } from "zod";
import type { WebhookEvent } from "#shared/config";

const count = z.int().min(0);

const group = z.object({
  fingerprint: z.string(),
  producer: z.string().nullable(),
  messages: count,
  messages_this_hour: count,
  open: count,
  first_seen: z.iso.datetime(),
});

const producer = z.object({
  agent: z.string(),
  contract: z.string(),
  model: z.string().nullable(),
  prompt_version: z.string().nullable(),
  outputs: count,
  malformed: count,
});

const endpoint = z.object({ model: z.string(), host: z.string(), reason: z.string() });

/** `data` of each webhook event. A script of the store writes those of endpoints. */
export const WEBHOOK_DATA: Readonly<Record<WebhookEvent, z.ZodType>> = {
  "fingerprint.new": group,
  "group.growing": group,
  "group.regressed": group,
  "quarantine.full": z.object({ quarantined: count, quarantine_cases_max: count }),
  "producer.failing": producer,
  "endpoint.paused": endpoint,
  "endpoint.resumed": endpoint.extend({ paused_ms: z.number().min(0) }),
};
