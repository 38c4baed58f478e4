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

const circuit = z.object({
  agent: z.string(),
  cause: z.string(),
  outputs: count,
  malformed: count,
  reaction: z.string(),
});

const endpoint = z.object({ model: z.string(), host: z.string(), reason: z.string() });

/** `data` of each webhook event. Scripts of the store write those of circuits and endpoints. */
export const WEBHOOK_DATA: Readonly<Record<WebhookEvent, z.ZodType>> = {
  "fingerprint.new": group,
  "group.growing": group,
  "group.regressed": group,
  "quarantine.full": z.object({ quarantined: count, quarantine_cases_max: count }),
  "circuit.opened": circuit,
  "circuit.closed": circuit,
  "endpoint.paused": endpoint,
  "endpoint.resumed": endpoint.extend({ paused_ms: z.number().min(0) }),
};
