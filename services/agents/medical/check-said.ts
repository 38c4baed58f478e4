import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import { readPrompt } from "#shared/runtime";
import type { Context, Transitions } from "#shared/runtime";
import type { Issue } from "#shared/errors";
import { UnsafeQuestionError } from "./errors.ts";

const INSTRUCTIONS = readPrompt(new URL("check-said.md", import.meta.url), "check");

export const Judgements = contract(
  "medical.judgements@1",
  z.object({
    says: z
      .array(
        z.object({
          what: z.enum(["diagnosis", "treatment", "dose"]),
          /** The words, exactly as they stand. */
          quote: sensitive(z.string().min(1).max(600)),
        }),
      )
      .max(10),
  }),
  { description: "Diagnoses, treatments and doses in a text for a patient." },
);

/** Has an independent reader look for what no model may tell a patient. @throws {UnsafeQuestionError} */
export async function checkSaid<To extends Transitions>(
  ctx: Context<To>,
  texts: readonly string[],
): Promise<void> {
  const asked = { instructions: INSTRUCTIONS, input: { texts }, answers: Judgements, temperature: 0 };
  const { says } = await ctx.model("check", asked);
  if (says.length > 0) throw new UnsafeQuestionError([...new Set(says.map(({ what }) => what))]);
}

/** A number with a unit of medicines: what a dose cannot do without. A share, such as `mg/dl`, is a laboratory's. */
const DOSE = /\d\s*(?:mg|mcg|µg|ml|i\.?u\.?)(?![\p{L}/])/iu;

/** Returns an issue for a dose in a text that a patient reads. Pure. */
export function findDose(text: string, path: string): Issue[] {
  return DOSE.test(text) ? [{ path, code: "dose", message: "a dose is never named" }] : [];
}
