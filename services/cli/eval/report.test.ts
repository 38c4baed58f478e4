import { expect, it } from "vitest";
import { renderReport } from "./run-eval.ts";
import type { EvalSummary } from "./measure-team.ts";
import { summarise } from "./trial.ts";

const HOSTILE = '<img src=x onerror="go()"> | [click](javascript:go()) `a` \u202Eevil';

function summaryOf(rest: Partial<EvalSummary>): EvalSummary {
  const models = { router: "r", worker: "w", surgeon: "s" };
  const none = { rehearsal: false, seed: 0, models, cases: 0, stopped: null };
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
