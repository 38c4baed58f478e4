import { readFileSync } from "node:fs";
import { z } from "zod";

const EmailSample = z.object({
  id: z.string(),
  split: z.enum(["development", "held_out"]),
  email: z.record(z.string(), z.unknown()),
  label: z.object({
    route: z.string(),
    language: z.string(),
    order_id: z.string().optional(),
    amount: z.number().optional(),
    currency: z.string().optional(),
    severity: z.string().optional(),
    lead_qualified: z.boolean().optional(),
    escalate: z.boolean().optional(),
  }),
});

export type EmailSample = z.output<typeof EmailSample>;

const MessageSample = z.object({
  id: z.string(),
  target_agent: z.string(),
  contract: z.string(),
  data_payload: z.union([z.string(), z.record(z.string(), z.unknown())]),
  original_query: z.string(),
  expect: z.enum(["valid", "first_aid", "recipe", "model", "person", "refused"]),
  note: z.string(),
});

export type MessageSample = z.output<typeof MessageSample>;

export const readEmailSamples = (): EmailSample[] =>
  readLines("emails.jsonl").map((line) => EmailSample.parse(line));

export const readMessageSamples = (): MessageSample[] =>
  readLines("dead-messages.jsonl").map((line) => MessageSample.parse(line));

function readLines(name: string): unknown[] {
  const file = readFileSync(new URL(`../samples/${name}`, import.meta.url), "utf8");
  return file
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}
