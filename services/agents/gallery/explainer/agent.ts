import { synthesise } from "#shared/patterns/ensemble";
import { agent, readPrompt } from "#shared/runtime";
import type { ModelTier } from "#shared/runtime";
import { recorded } from "#shared/runtime/tools";
import { Explained, Explanation, Unexplained } from "../contracts.ts";

const PROMPT = new URL("prompt.md", import.meta.url);
const EXPLAIN = readPrompt(PROMPT, "explain");
const MERGE = readPrompt(PROMPT, "merge");

const cannotTell = () => ({ purpose: null, names: [], example: "No model is set: this was not read." });

/** Answers of models in a rehearsal: the recorded answers of the samples, else that they cannot tell. */
const standIns = recorded(new URL("../recordings/gallery.jsonl", import.meta.url), {
  "explain-1": cannotTell,
  "explain-2": cannotTell,
  "explain-3": cannotTell,
  "explain-synthesis": cannotTell,
});

const READERS = [
  "Your reader is new to programming.",
  "Your reader reviews code.",
  "Your reader is in a hurry.",
];

/**
 * Explains code: three drafts for three readers, and one explanation made of them. Several agents of this kind share
 * the capability `explaining`, each with a model tier of its own; the desk names none of them.
 */
export function createExplainer<const Name extends string>(name: Name, tier: ModelTier) {
  return agent(`${name}@1`, {
    accepts: Unexplained,
    to: { "gallery-cataloguer": Explained, "gallery-index": Explained },
    capabilities: ["explaining"],
    description: "Explains code: what it is for, and how it is called.",
    tier,
    answers: [Explanation],
    standIns,
    // Neither the drafts nor anything that a later version adds travels on: only what a card holds.
    passes: {
      "gallery-cataloguer": ["/title", "/language", "/code", "/purpose", "/names", "/example"],
    },
    guard: { mayCause: [], untrusted: { payload: { "/code": "contributor" } } },
    handle: async (snippet, ctx) => {
      const { language, code } = snippet;
      const whole = await synthesise(ctx, {
        step: "explain",
        instructions: EXPLAIN,
        input: { language, code },
        answers: Explanation,
        voters: READERS.map((reader) => ({ instructions: `${EXPLAIN}\n${reader}` })),
        synthesis: { instructions: MERGE, answers: Explanation },
      });
      // A name that does not stand in the code was made up, whatever the model says.
      const names = whole.names.filter((one) => code.includes(one));
      return ctx.handoff("gallery-cataloguer", { ...snippet, ...whole, names }, { reason: "explained" });
    },
  });
}
