import { readFileSync } from "node:fs";
import { z } from "zod";
import { now, sleep } from "#shared/clock";
import type { Store } from "#shared/store";
import { findCases, getCase } from "#shared/ward";
import { refusedWith } from "../errors.ts";
import { openClient } from "../http/call-api.ts";
import type { Api } from "../http/call-api.ts";
import { persist, persistently } from "../http/persist.ts";
import { write as say } from "../print/print-answer.ts";
import type { Sent } from "./samples.ts";

/** An answer of a customer, by the sample that the task came from. */
const answerSchema = z.object({
  sample: z.string(),
  why: z.string(),
  /** Fields of the payload, as the person writes them. */
  set: z.record(z.string(), z.unknown()),
});

export interface Operator {
  readonly console: Api;
  readonly store: Store;
  readonly sent: readonly Sent[];
  readonly signal: AbortSignal;
}

/** Timeout for the surgeon to apply a decision, in ms; the demo then goes on. */
const CARRIED_OUT_WITHIN_MS = 20_000;
const POLL_EVERY_MS = 200;

/** Sets the missing value and releases a case where the customer has answered. @returns How many were released. */
export async function actAsOperator(operator: Operator): Promise<number> {
  const lines = readFileSync(new URL("customer-answers.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n");
  let released = 0;
  for (const answer of lines.map((line) => answerSchema.parse(JSON.parse(line)))) {
    const asked = operator.sent.find(({ sample }) => sample.id === answer.sample);
    if (asked !== undefined && (await release(operator, { asked, answer }))) released += 1;
  }
  return released;
}

async function release(
  { console, store, signal }: Operator,
  { asked, answer }: { readonly asked: Sent; readonly answer: z.output<typeof answerSchema> },
): Promise<boolean> {
  const { sample, run_id } = asked;
  const filter = { run_id, status: "quarantined" } as const;
  const { cases } = await persistently(() => findCases(store, { filter, limit: 1 }), signal);
  const [waiting] = cases;
  if (waiting === undefined || sample.kind !== "message") return false;
  const { case_id } = waiting;
  const before = sample.data_payload;
  const payload = { ...(typeof before === "object" ? before : {}), ...answer.set };
  const request = { params: { path: { case_id } }, body: { payload, why: answer.why }, signal };
  try {
    await persist(() => openClient(console).POST("/v1/ward/cases/{case_id}/release", request), signal);
  } catch (error) {
    // A decision whose answer was lost is refused the second time.
    if (!(error instanceof Error) || refusedWith(error) === null) throw error;
    say(`A person's release was refused: ${error.message}`);
    return false;
  }
  say(`A person released a case for ${waiting.agent}: ${answer.why}.`);
  // The decision stands in the case until the surgeon has carried it out, or has taken it back.
  const untilMs = now() + CARRIED_OUT_WITHIN_MS;
  while ((await persistently(() => getCase(store, case_id), signal)).decision !== null && now() < untilMs)
    await sleep(POLL_EVERY_MS, signal);
  return true;
}
