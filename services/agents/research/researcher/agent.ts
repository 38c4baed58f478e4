import type { ContractOutput } from "#shared/contract";
import { agent, readPrompt } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import { checkReadings, withCheck } from "../check-quotes.ts";
import { checkStances } from "../check-stances.ts";
import type { Stance } from "../contract-fields.ts";
import { Found, Topic } from "../contracts.ts";
import type { ResearchSetup } from "../setup.ts";
import { PASSAGES_MAX, PROMPT_TOKENS_MAX } from "../limits.ts";
import { SOURCE_LABEL } from "../research/look-up.ts";
import { HoldingAnswer, ReadingAnswer } from "./answer.ts";
import type { HoldingInput, ReadingInput } from "./answer.ts";
import { compareFigures, joinStances, keepCarried } from "./compare-figures.ts";
import { holdClaim } from "../rehearsal/hold-claim.ts";
import { readPassages } from "../rehearsal/researcher.ts";

const to = { "investigation-review": Found };

const PROMPT = new URL("prompt.md", import.meta.url);
const READ_INSTRUCTIONS = readPrompt(PROMPT, "read");
const HOLD_INSTRUCTIONS = readPrompt(PROMPT, "hold");

/** Searches the sources for one question and returns quotes. */
export function createResearcher({ library }: ResearchSetup) {
  return agent("researcher@1", {
    accepts: Topic,
    to,
    description: "Searches the sources for one question.",
    capabilities: ["search"],
    answers: [ReadingAnswer, HoldingAnswer],
    standIns: { read: readPassages, hold: holdClaim },
    needs: {
      read: { fields: ["/question", "/passages"] },
      hold: { fields: ["/claim", "/passages"] },
    },
    contextTokensMax: PROMPT_TOKENS_MAX,
    guard: { mayCause: [], untrusted: { steps: { search: SOURCE_LABEL } } },
    handle: async ({ question, terms, round }, ctx) => {
      const { passages, held_back } = await ctx.step("search", (signal) =>
        library.search({ text: `${question.text} ${terms}`, passagesMax: PASSAGES_MAX }, signal),
      );
      const { claim } = question;
      const stances = claim === null ? [] : await hold(ctx, { claim, passages });
      const readings =
        claim === null
          ? await read(ctx, { question: question.text, passages })
          : stances.map(({ quote, passage_id }) => ({ statement: quote, quote, passage_id }));
      return ctx.handoff("investigation-review", { question, round, passages, readings, stances, held_back });
    },
  });
}

async function read(
  ctx: Context,
  input: ReadingInput,
): Promise<ContractOutput<typeof ReadingAnswer>["readings"]> {
  const { passages } = input;
  if (passages.length === 0) return [];
  const answers = withCheck(ReadingAnswer, ({ readings }) => checkReadings(readings, passages, "/readings"));
  const asked = { instructions: READ_INSTRUCTIONS, input, answers };
  return (await ctx.model("read", asked)).readings;
}

/** What the passages say to a claim: by the model, and by figures and days, which are compared whatever it says. */
async function hold(ctx: Context, input: HoldingInput): Promise<Stance[]> {
  const { claim, passages } = input;
  if (passages.length === 0) return [];
  const answers = withCheck(HoldingAnswer, ({ stances }) => checkStances(stances, input));
  const asked = { instructions: HOLD_INSTRUCTIONS, input, answers };
  const { stances } = await ctx.model("hold", asked);
  return keepCarried(joinStances(stances, compareFigures(claim, passages)), input);
}
