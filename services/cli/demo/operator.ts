import { readFileSync } from "node:fs";
import { z } from "zod";
import { sleep } from "#shared/clock";
import type { Store } from "#shared/store";
import { findCases, getCase } from "#shared/ward";
import { RequestRefusedError } from "../errors.ts";
import { openClient } from "../http/call-api.ts";
import type { Api } from "../http/call-api.ts";
import { persist } from "../http/persist.ts";
import type { Progress } from "./progress.ts";
import { readAgain } from "./read-again.ts";
import type { Sent } from "./send-traffic.ts";

/** Answers of customers, by the sample that their task came from. */
const answerSchema = z.object({
  sample: z.string(),
  why: z.string(),
  /** Fields of the payload, as the person writes them. */
  set: z.record(z.string(), z.unknown()),
});

type CustomerAnswer = z.output<typeof answerSchema>;

export interface Operator {
  /** Null: this copy has no console. */
  readonly console: Api | null;
  readonly store: Store;
  readonly sent: readonly Sent[];
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Timeout for the surgeon to apply a decision, in ms; the demo then goes on. */
const CARRIED_OUT_WITHIN_MS = 20_000;
const POLL_EVERY_MS = 200;

/**
 * Acts as the operator in the console: where a value was missing and the customer has answered, sets the value and
 * releases the case. All other cases stay in quarantine, because their values are unknown.
 *
 * @returns How many cases were released.
 */
export async function actAsOperator(operator: Operator): Promise<number> {
  if (operator.console === null) {
    operator.progress.say("No console runs, so nobody decides the cases that wait for a person.");
    return 0;
  }
  let released = 0;
  for (const answer of readAnswers()) {
    const sent = operator.sent.find(({ sample }) => sample.id === answer.sample);
    if (
      sent !== undefined &&
      (await release(operator, { ...operator, console: operator.console }, { sent, answer }))
    )
      released += 1;
  }
  return released;
}

interface Decision {
  readonly sent: Sent;
  readonly answer: CustomerAnswer;
}

async function release(
  { store, progress, signal }: Operator,
  { console }: { readonly console: Api },
  { sent, answer }: Decision,
): Promise<boolean> {
  const filter = { run_id: sent.run_id, status: "quarantined" } as const;
  const { cases } = await readAgain(() => findCases(store, { filter, limit: 1 }), signal);
  const waiting = cases[0];
  if (waiting === undefined || sent.sample.kind !== "message") return false;
  const payload = { ...asObject(sent.sample.data_payload), ...answer.set };
  const params = { path: { case_id: waiting.case_id } };
  const request = { params, body: { payload, why: answer.why }, signal };
  try {
    await persist(() => openClient(console).POST("/v1/ward/cases/{case_id}/release", request), signal);
  } catch (error) {
    // A decision whose answer was lost is refused the second time.
    if (!(error instanceof RequestRefusedError)) throw error;
    progress.say(`A person's release was refused: ${error.message}`);
    return false;
  }
  progress.say(`A person released a case for ${waiting.agent}: ${answer.why}.`);
  await waitUntilCarriedOut(store, waiting.case_id, signal);
  return true;
}

/** The decision stands in the case until the surgeon has carried it out, or has taken it back. */
async function waitUntilCarriedOut(store: Store, caseId: string, signal: AbortSignal): Promise<void> {
  for (let waitedMs = 0; waitedMs < CARRIED_OUT_WITHIN_MS; waitedMs += POLL_EVERY_MS) {
    const { decision } = await readAgain(() => getCase(store, caseId), signal);
    if (decision === null) return;
    await sleep(POLL_EVERY_MS, signal);
  }
}

function readAnswers(): CustomerAnswer[] {
  const text = readFileSync(new URL("customer-answers.jsonl", import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => answerSchema.parse(JSON.parse(line)));
}

function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
