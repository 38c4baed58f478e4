import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import type { HandlerOutcome } from "#shared/runtime";

const Text = contract("cl.text@1", z.strictObject({ text: z.string().min(1) }));
const Count = contract("cl.count@1", z.object({ text: z.string(), words: z.int() }));

/** Counts words, and declares the contract of its results. No model is asked. */
export const counting = team(
  "cl-count",
  [
    agent("cl-read@1", {
      accepts: Text,
      to: { "cl-count": Count },
      handle: ({ text }, ctx) => ctx.handoff("cl-count", { text, words: text.split(/\s+/u).length }),
    }),
    agent("cl-count@1", {
      accepts: Count,
      // The bug of an agent, for tests, out of the compiler's sight.
      handle: ({ words, text }, ctx): HandlerOutcome =>
        ctx.complete(text === "faulty" ? { words: "many" } : { words }),
    }),
  ],
  { result: contract("cl.result@1", z.object({ words: z.int() })), onFailure: "end" },
);
