import { z } from "zod";
import { contract, withCheck } from "#shared/contract";
import type { ContractOutput } from "#shared/contract";
import { agent, readPrompt } from "#shared/runtime";
import type { Context } from "#shared/runtime";
import { tool, ToolProblemError } from "#shared/runtime/tools";
import type { Tool } from "#shared/runtime/tools";
import { checkCited } from "../text.ts";
import {
  readings as readingsForm,
  stances as stancesForm,
  heldBack,
  passage,
  Found,
  Topic,
  FINDINGS_MAX,
  PASSAGES_MAX,
  PROMPT_TOKENS_MAX,
} from "../contracts.ts";
import type { DocumentClaim, HeldBack, Passage, Stance } from "../contracts.ts";
import type { ResearchSetup, Library, Search } from "../outside/library.ts";
import { standIns } from "../recordings.ts";
import { SOURCE_LABEL } from "../research/look-up.ts";
import { VERIFY_NEEDS, VerifyAnswer, verifyClaims } from "../verify/verify-claims.ts";
import { termsOf } from "../outside/rank-passages.ts";

/** Searches that a model may ask for beside the first, passages that each gives, and answers that ask. */
export const FURTHER_SEARCHES_MAX = 3;
const FURTHER_HITS_MAX = 5;
const TOOL_ROUNDS_MAX = 5;

const PROMPT = new URL("prompt.md", import.meta.url);
const READ_INSTRUCTIONS = readPrompt(PROMPT, "read");
const HOLD_INSTRUCTIONS = readPrompt(PROMPT, "hold");

const ReadingAnswer = contract("researcher.reading@1", z.object({ readings: readingsForm }), {
  description: "What passages say to a question, each with the exact words that say it.",
});

const HoldingAnswer = contract("researcher.holding@2", z.object({ stances: stancesForm }), {
  description: "What passages say for and against a claim, each with the exact words that do.",
});

/** Searches the sources for one question and returns quotes. */
export function createResearcher({ library }: ResearchSetup) {
  return agent("researcher@1", {
    accepts: Topic,
    to: { "investigation-review": Found },
    description: "Searches the sources for one question.",
    capabilities: ["search"],
    answers: [ReadingAnswer, HoldingAnswer, VerifyAnswer],
    standIns: { read: standIns.read, hold: standIns.hold, verify: standIns.verify },
    needs: {
      read: { fields: ["/question", "/passages"] },
      hold: { fields: ["/claim", "/passages"] },
      ...VERIFY_NEEDS,
    },
    contextTokensMax: PROMPT_TOKENS_MAX,
    guard: { mayCause: [], untrusted: { steps: { search: SOURCE_LABEL } } },
    handle: async ({ question }, ctx) => {
      const { text, claim } = question;
      const first = await ctx.step("search", (signal) =>
        library.search({ text, passagesMax: PASSAGES_MAX }, signal),
      );
      const further = libraryTools(library, { ...first, searched: text });
      const { passages } = first;
      const stances = claim === null ? [] : await hold(ctx, { claim, passages }, further);
      const readings =
        claim === null
          ? await read(ctx, { question: text, passages }, further)
          : stances.map(({ quote, passage_id }) => ({ statement: quote, quote, passage_id }));
      return ctx.handoff("investigation-review", {
        question,
        passages: citedFirst(further.read(), [...stances, ...readings]),
        readings: readings.slice(0, FINDINGS_MAX),
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
  input: { readonly question: string; readonly passages: readonly Passage[] },
  { tools, read: readBy }: LibraryTools,
): Promise<Reading[]> {
  const answers = withCheck(ReadingAnswer, ({ readings }) => checkCited(readings, readBy(), "/readings"));
  const asked = { instructions: READ_INSTRUCTIONS, input, answers, tools, toolRoundsMax: TOOL_ROUNDS_MAX };
  return (await ctx.model("read", asked)).readings;
}

const VERDICTS = { for: "supports", against: "contradicts" } as const;

/** Compares a claim with the passages. Keeps only findings that a second reading of claim and passage confirms. */
async function hold(
  ctx: Context,
  input: { readonly claim: DocumentClaim; readonly passages: readonly Passage[] },
  { tools, read: readBy }: LibraryTools,
): Promise<Stance[]> {
  const answers = withCheck(HoldingAnswer, ({ stances }) => checkCited(stances, readBy(), "/stances"));
  const asked = { instructions: HOLD_INSTRUCTIONS, input, answers, tools, toolRoundsMax: TOOL_ROUNDS_MAX };
  const { stances } = await ctx.model("hold", asked);
  const passages = readBy();
  const { claim, quote } = input.claim;
  const toldClaim = claim === quote ? quote : `${claim} In the words of its author: "${quote}"`;
  const pairs = stances.flatMap((stance) => {
    const cited = passages.find(({ passage_id: id }) => id === stance.passage_id);
    return cited === undefined ? [] : [{ stance, claim: toldClaim, passage: cited }];
  });
  const verdicts = await verifyClaims(ctx, pairs);
  return pairs.flatMap(({ stance }, index) => (verdicts[index] === VERDICTS[stance.stance] ? [stance] : []));
}

interface LibraryTools {
  readonly tools: readonly Tool[];
  /** Passages that may be cited: those shown at first, and those that were found since. */
  readonly read: () => readonly Passage[];
  readonly heldBack: () => readonly HeldBack[];
}

/** Returns a tool that searches the library by words, never by path or address, and each query once. */
export function libraryTools(library: Library, first: Search & { readonly searched: string }): LibraryTools {
  const found = new Map(first.passages.map((one) => [one.passage_id, one]));
  const held = new Map(first.held_back.map((one) => [one.source_id, one]));
  const queries = new Set([keyOf(first.searched)]);
  const search = tool("search_library", {
    description: `Searches the library's passages by words. Gives ${FURTHER_HITS_MAX} at most. ${FURTHER_SEARCHES_MAX} searches at most.`,
    input: z.strictObject({ query: z.string().min(2).max(300) }),
    output: z.object({
      query: z.string(),
      passages: z.array(passage).max(FURTHER_HITS_MAX),
      held_back: heldBack,
    }),
    effect: "none",
    taint: SOURCE_LABEL,
    call: async ({ query }, { signal }) => {
      if (queries.has(keyOf(query))) throw new ToolProblemError("These words were searched for already.");
      if (queries.size > FURTHER_SEARCHES_MAX) throw new ToolProblemError("No further search is allowed.");
      return { query, ...(await library.search({ text: query, passagesMax: FURTHER_HITS_MAX }, signal)) };
    },
    // Of a re-run too, whose calls are on record.
    seen: ({ query, passages, held_back: more }) => {
      queries.add(keyOf(query));
      for (const one of passages) found.set(one.passage_id, one);
      for (const one of more) held.set(one.source_id, one);
    },
  });
  return { tools: [search], read: () => [...found.values()], heldBack: () => [...held.values()] };
}

function keyOf(query: string): string {
  return [...new Set(termsOf(query))].toSorted().join(" ");
}
