import { readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder, listenLocally } from "#shared/testing";
import { startCachingEndpoint } from "./answers.ts";
import { judgeTrials } from "./judge.ts";
import { renderReport } from "./run-eval.ts";
import type { EvalSummary } from "./measure-team.ts";
import { summarise } from "./trial.ts";
import type { Trial } from "./trial.ts";

const HOSTILE = '<img src=x onerror="go()"> | [click](javascript:go()) `a` \u202Eevil';

const judge: NonNullable<EvalSummary["judge"]> = {
  model: "m",
  judged: 2,
  failed: 0,
  undecided: 0,
  cost: 0,
  without_result: 3,
  agreement: { right: 2, of: 2, share: 1, low: 0.34, high: 1 },
};

function summaryOf(rest: Partial<EvalSummary>): EvalSummary {
  const models = { router: "r", worker: "w", surgeon: "s" };
  const none = { rehearsal: false, seed: 0, models, cases: 0, stopped: null, cached: null, judge: null };
  return { team: "t", trials: { planned: 0, done: 0 }, ...none, ...summarise([], []), ...rest };
}

it("writes what data brings along as text, and keeps a table's cells apart", () => {
  const [measured] = summarise(
    // Nothing but its names is read of a contender without trials.
    [{ name: HOSTILE, description: HOSTILE, judged: null, against: null, team: {} as never }],
    [],
  ).contenders;
  if (measured === undefined) throw new Error("one is measured");
  const page = renderReport([
    summaryOf({ contenders: [{ ...measured, accuracy: { ...measured.accuracy, of: 1 } }] }),
  ]);
  expect(page).toContain(String.raw`\<img src=x`);
  expect(page).toContain("⟨U+202E⟩");
  expect(page).toContain(String.raw`\[click\](javascript:go())`);
  const row = page.split("\n").find((line) => line.startsWith("| ") && line.includes("img")) ?? "";
  expect(row.replaceAll(String.raw`\|`, "").split("|")).toHaveLength(16);
});

it("tells how many runs gave the judge nothing to judge", () => {
  const page = renderReport([summaryOf({ judge })]);
  expect(page).toContain("m judged 2 results without their labels: 2 of 2 verdicts agree");
  expect(page).toContain("3 runs gave no result to judge and count as not right.");
  expect(page).not.toContain("| field |");
});

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
  // The judgeAll reads no more of a team than its name.
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
async function judgeAll(...trials: readonly Trial[]) {
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
  const { agreement, judged, cost } = await judgeAll(
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
  expect(await judgeAll(...all)).toMatchObject({
    judged: 2,
    without_result: 2,
    undecided: 1,
    failed: 1,
    agreement: { share: null, of: 0 },
  });
});

it("keeps each asking of one request for this user alone, and gives a repeat the same answers in turn", async () => {
  let asked = 0;
  const model = createServer((_request, response) => response.end(`answer ${(asked += 1)}`));
  const parent = temporaryFolder();
  const folder = join(parent, "kept");
  const endpoint = `http://127.0.0.1:${await listenLocally(model)}/v1`;
  const measure = async (questions: readonly string[]): Promise<string[]> => {
    const cache = await startCachingEndpoint({ openaiBaseUrl: endpoint, modelPrices: {} }, folder, {
      left: 0,
    });
    const answers: string[] = [];
    for (const body of questions)
      answers.push(await (await fetch(`${cache.url}/chat`, { method: "POST", body })).text());
    await cache.close();
    return answers;
  };
  expect(await measure(["q", "q", "r"])).toEqual(["answer 1", "answer 2", "answer 3"]);
  expect(await measure(["q", "r", "q", "q"])).toEqual(["answer 1", "answer 3", "answer 2", "answer 4"]);
  expect(statSync(folder).mode & 0o077).toBe(0);
  for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
});
