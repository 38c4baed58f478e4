import { agent, readPrompt } from "#shared/runtime";
import { checkQuotes, withCheck } from "../check-quotes.ts";
import { Found, Topic } from "../contracts.ts";
import type { ResearchSetup } from "../setup.ts";
import { PASSAGES_MAX, PROMPT_TOKENS_MAX } from "../limits.ts";
import { SOURCE_LABEL } from "../research/look-up.ts";
import { ReadingAnswer } from "./answer.ts";
import type { ReadingInput } from "./answer.ts";
import { readPassages } from "../rehearsal/researcher.ts";

const to = { "investigation-review": Found };

const INSTRUCTIONS = readPrompt(new URL("prompt.md", import.meta.url), "read");

/** Searches the sources for one question and returns quotes. */
export function createResearcher({ library }: ResearchSetup) {
  return agent("researcher@1", {
    accepts: Topic,
    to,
    description: "Searches the sources for one question.",
    capabilities: ["search"],
    answers: [ReadingAnswer],
    standIns: { read: readPassages },
    needs: { read: { fields: ["/question", "/passages"] } },
    contextTokensMax: PROMPT_TOKENS_MAX,
    guard: { mayCause: [], untrusted: { steps: { search: SOURCE_LABEL } } },
    handle: async ({ question, terms, round }, ctx) => {
      const { passages, held_back } = await ctx.step("search", (signal) =>
        library.search({ text: `${question.text} ${terms}`, passagesMax: PASSAGES_MAX }, signal),
      );
      const input: ReadingInput = { question: question.text, passages };
      const answers = withCheck(ReadingAnswer, ({ readings }) =>
        checkQuotes(
          readings,
          (one) => passages.find(({ passage_id: id }) => id === one.passage_id)?.text,
          "/readings",
        ),
      );
      const { readings } =
        passages.length === 0
          ? { readings: [] }
          : await ctx.model("read", { instructions: INSTRUCTIONS, input, answers });
      return ctx.handoff("investigation-review", { question, round, passages, readings, held_back });
    },
  });
}
