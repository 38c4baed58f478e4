import { expect, it } from "vitest";
import { judgeTrials } from "./judge.ts";
import type { Trial } from "./trial.ts";

const contender = {
  name: "x",
  description: "",
  team: { name: "x", options: {} },
  judged: null,
  against: null,
};

/** A trial that is labelled right where its result is what the label says. */
function trialOf(result: string | null, label: string): Trial {
  const failure = result === null ? { class: "timeout", code: "" } : null;
  const one = { id: "a", before: [], input: {}, expect: new Map([["/is", label]]), unsure: new Map() };
  // The judge reads no more of a team than its name.
  return {
    contender,
    case: one,
    result: { is: result },
    failure,
    cost: 0,
    tokens: 0,
    calls: 0,
  } as unknown as Trial;
}

/** Judges by the result alone: what says so is right, wrong or undecided, and anything else is no verdict. */
async function judge(...trials: readonly Trial[]) {
  const model: Parameters<typeof judgeTrials>[1]["model"] = {
    modelFor: () => "m",
    ask: ({ input }) => {
      const verdict: unknown = JSON.parse(JSON.parse(input).result).is;
      return Promise.resolve({ text: JSON.stringify({ reason: "so", verdict }), cost: 0.5 } as never);
    },
  };
  const signal = new AbortController().signal;
  return judgeTrials(trials, { model, concurrency: 2, purse: { left: 100 }, signal });
}

it("counts by label and verdict, and how often both say the same", async () => {
  const { agreement, judged, cost } = await judge(
    trialOf("right", "right"),
    trialOf("right", "right"),
    trialOf("wrong", "wrong"),
    trialOf("right", "other"),
    trialOf("wrong", "other"),
  );
  expect(agreement).toMatchObject({ right: 3, of: 5 });
  expect({ judged, cost }).toEqual({ judged: 5, cost: 2.5 });
});

it("shows it no run without a result, counts those, and takes nothing for a verdict that is none", async () => {
  const all = [trialOf(null, "a"), trialOf(null, "b"), trialOf("cannot_tell", "a"), trialOf("perhaps", "a")];
  expect(await judge(...all)).toMatchObject({
    judged: 2,
    without_result: 2,
    undecided: 1,
    failed: 1,
    agreement: { share: null, of: 0 },
  });
});
