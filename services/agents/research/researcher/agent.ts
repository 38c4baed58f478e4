import type { ContractOutput } from "#shared/contract";
import { agent, readPrompt } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import { checkReadings, withCheck } from "../check-quotes.ts";
import { checkStances } from "../check-stances.ts";
import type { Stance } from "../contract-fields.ts";
import { Found, Topic } from "../contracts.ts";
import type { ResearchSetup } from "../setup.ts";
import { FINDINGS_MAX, PASSAGES_MAX, PROMPT_TOKENS_MAX, TOOL_ROUNDS_MAX } from "../limits.ts";
import type { Passage } from "../outside/library.ts";
import { findUntold } from "../reading/claims/find-contradictions.ts";
import { SOURCE_LABEL } from "../research/look-up.ts";
import { HoldingAnswer, ReadingAnswer } from "./answer.ts";
import type { HoldingInput, ReadingInput } from "./answer.ts";
import { compareFigures, joinStances, keepCarried } from "./compare-figures.ts";
import { libraryTools } from "./library-tools.ts";
import type { LibraryTools } from "./library-tools.ts";
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
      const text = `${question.text} ${terms}`;
      const first = await ctx.step("search", (signal) =>
        library.search({ text, passagesMax: PASSAGES_MAX }, signal),
      );
      const further = libraryTools({ ...first, library, searched: text });
      const { claim } = question;
      const { passages } = first;
      const stances = claim === null ? [] : await hold(ctx, { claim, passages }, further);
      const readings =
        claim === null
          ? await read(ctx, { question: question.text, passages }, further)
          : stances.map(({ quote, passage_id }) => ({ statement: quote, quote, passage_id }));
      return ctx.handoff("investigation-review", {
        question,
        round,
        passages: citedFirst(further.read(), [...stances, ...readings]),
        readings,
        stances,
        held_back: further.heldBack().slice(0, HELD_BACK_MAX),
      });
    },
  });
}

const HELD_BACK_MAX = 20;

type Reading = ContractOutput<typeof ReadingAnswer>["readings"][number];

/** As many passages as a handoff takes; those that are cited are among them. */
function citedFirst(
  passages: readonly Passage[],
  citing: readonly { readonly passage_id: string }[],
): Passage[] {
  const cited = new Set(citing.map(({ passage_id: id }) => id));
  return passages
    .toSorted((a, b) => Number(cited.has(b.passage_id)) - Number(cited.has(a.passage_id)))
    .slice(0, PASSAGES_MAX);
}

/** Readings of the passages, and of those that the model opens itself. */
async function read(
  ctx: Context,
  input: ReadingInput,
  { tools, read: readBy }: LibraryTools,
): Promise<Reading[]> {
  const answers = withCheck(ReadingAnswer, ({ readings }) => checkReadings(readings, readBy(), "/readings"));
  const asked = { instructions: READ_INSTRUCTIONS, input, answers, tools, toolRoundsMax: TOOL_ROUNDS_MAX };
  const { readings } = await ctx.model("read", asked);
  return addUntold(input.question, { readings, passages: readBy() });
}

/** What the passages say to a claim: by the model, and by figures and days, which are compared whatever it says. */
async function hold(
  ctx: Context,
  input: HoldingInput,
  { tools, read: readBy }: LibraryTools,
): Promise<Stance[]> {
  const { claim } = input;
  const answers = withCheck(HoldingAnswer, ({ stances }) =>
    checkStances(stances, { claim, passages: readBy() }),
  );
  const asked = { instructions: HOLD_INSTRUCTIONS, input, answers, tools, toolRoundsMax: TOOL_ROUNDS_MAX };
  const { stances } = await ctx.model("hold", asked);
  const passages = readBy();
  return keepCarried(joinStances(stances, compareFigures(claim, passages)), { claim, passages });
}

/** Adds what other sources say against the readings, whatever the model found worth telling. */
function addUntold(
  question: string,
  { readings, passages }: { readonly readings: readonly Reading[]; readonly passages: readonly Passage[] },
): Reading[] {
  const cited = readings.flatMap(({ quote, passage_id: id }) => {
    const passage = passages.find((one) => one.passage_id === id);
    return passage === undefined ? [] : [{ quote, source_id: passage.source_id, title: passage.title }];
  });
  const untold = findUntold(cited, { question, passages }).map(({ quote, passage: { passage_id } }) => ({
    statement: quote,
    quote,
    passage_id,
  }));
  return [...readings.slice(0, FINDINGS_MAX - untold.length), ...untold];
}
