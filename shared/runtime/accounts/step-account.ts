import { createHash } from "node:crypto";
import { z } from "zod";
import { now, timestamp } from "#shared/clock";
import { readJson } from "#shared/json";
import type { RecordedStep } from "#shared/store/ledger";
import type { Delivery } from "../deliver/delivery.ts";
import { recordedInputSchema, recordInput } from "./recorded-input.ts";

/** Characters of the problems that a model was asked again about. */
const PROBLEMS_CHARS_MAX = 2000;

/** Record of a step for display, beside its result. No handler reads it. */
export const stepAccountSchema = z.object({
  /** Time at which it began, RFC 3339. */
  at: z.string(),
  ms: z.number(),
  /** Delivery of its message that carried it out, from 1. */
  attempt: z.number(),
  /** Of a model call: the contract of the answer. */
  contract: z.string().optional(),
  tier: z.string().optional(),
  /** SHA-256 of the instructions, hex. */
  prompt: z.string().optional(),
  input: recordedInputSchema.optional(),
  /** Of a tool call: the tool's name as the model wrote it. */
  tool: z.string().optional(),
  images: z.number().optional(),
  /** Of a call that asks again: what was wrong with the answer before. */
  problems: z.string().optional(),
});

export type StepAccount = z.output<typeof stepAccountSchema>;

/** Returns the account of a step that has just ended. */
export function accountOfStep(delivery: Delivery, startedMs: number): Pick<RecordedStep, "account"> {
  return { account: JSON.stringify(timesOf(delivery, startedMs)) };
}

/** Returns the account of a tool call that has just ended. */
export function accountOfTool(
  delivery: Delivery,
  call: { readonly startedMs: number; readonly name: string; readonly arguments: string },
): Pick<RecordedStep, "account"> {
  // A model may write arguments that are no JSON.
  const input = JSON.stringify(readJson(call.arguments) ?? call.arguments);
  const account: StepAccount = {
    ...timesOf(delivery, call.startedMs),
    tool: call.name,
    input: recordInput(input, delivery.message?.envelope.data_payload),
  };
  return { account: JSON.stringify(account) };
}

/** Returns the account of a model call that has just been answered, and its instructions. */
export function accountOfCall(
  delivery: Delivery,
  call: {
    readonly startedMs: number;
    readonly contract: string;
    readonly tier: string;
    readonly instructions: string;
    /** JSON text. */
    readonly input: string;
    readonly images: number;
    readonly problems: string | undefined;
  },
): Pick<RecordedStep, "account" | "prompt"> {
  const { startedMs, contract, tier, instructions, input, images, problems } = call;
  const sha256 = createHash("sha256").update(instructions).digest("hex");
  const account: StepAccount = {
    ...timesOf(delivery, startedMs),
    contract,
    tier,
    prompt: sha256,
    input: recordInput(input, delivery.message?.envelope.data_payload),
    ...(images === 0 ? {} : { images }),
    ...(problems === undefined ? {} : { problems: problems.slice(0, PROBLEMS_CHARS_MAX).toWellFormed() }),
  };
  return { account: JSON.stringify(account), prompt: { sha256, text: instructions } };
}

function timesOf({ attempt }: Delivery, startedMs: number): Pick<StepAccount, "at" | "ms" | "attempt"> {
  return { at: timestamp(startedMs), ms: now() - startedMs, attempt };
}
