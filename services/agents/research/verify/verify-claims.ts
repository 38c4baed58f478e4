import { z } from "zod";
import { checkAnswered, contract, withCheck } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import { readPrompt } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import { checkQuotes } from "../text.ts";
import type { Passage } from "../contracts.ts";

const PAIRS_MAX = 40;

export const VerifyAnswer = contract(
  "research.verdicts@1",
  z.object({
    verdicts: z
      .array(
        z.object({
          pair_id: z.string().max(8),
          verdict: z.enum(["supports", "contradicts", "neither"]),
          /** Words of the passage that decide it; empty for `neither`. */
          quote: z.string().max(500),
        }),
      )
      .max(PAIRS_MAX),
  }),
  { description: "For each pair whether its passage supports its claim, with the words that decide it." },
);

type Verdict = ContractOutput<typeof VerifyAnswer>["verdicts"][number]["verdict"];

/** A claim beside the passage that it is said to rest on. */
export interface Pair {
  readonly claim: string;
  readonly passage: Pick<Passage, "title" | "publisher" | "published" | "text">;
}

/** Fields of the input, for the `needs` of an agent. */
export const VERIFY_NEEDS = { verify: { fields: ["/pairs"] } } as const;

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "verify");

/**
 * Asks a second, independent question: whether each passage supports its claim. The model is shown the claims and the
 * passages alone, and its words have to stand in the passage. Verdicts come in the order of the pairs.
 */
export async function verifyClaims(ctx: Context, pairs: readonly Pair[]): Promise<Verdict[]> {
  if (pairs.length === 0) return [];
  const input = {
    pairs: pairs
      .slice(0, PAIRS_MAX)
      .map(({ claim, passage: { title, publisher, published, text } }, index) => ({
        pair_id: `p${index + 1}`,
        claim,
        passage: { title, publisher, published, text },
      })),
  };
  const answers = withCheck(VerifyAnswer, ({ verdicts }) => [
    ...checkQuotes(
      verdicts.filter(({ verdict }) => verdict !== "neither"),
      ({ pair_id: id }) => input.pairs.find((pair) => pair.pair_id === id)?.passage.text,
      "/verdicts",
    ),
    ...checkAnswered(
      input.pairs.map(({ pair_id: id }) => id),
      verdicts.map(({ pair_id: id }) => id),
      "/verdicts",
    ),
  ]);
  const { verdicts } = await ctx.model("verify", {
    instructions: INSTRUCTIONS,
    input,
    answers,
    temperature: 0,
  });
  return pairs.map(
    (_, index) => verdicts.find(({ pair_id: id }) => id === `p${index + 1}`)?.verdict ?? "neither",
  );
}
