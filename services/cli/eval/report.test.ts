import { readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder, listenLocally } from "#shared/testing";
import { startCachingEndpoint } from "./answers.ts";
import { renderReport } from "./run-eval.ts";
import type { EvalSummary } from "./measure-team.ts";
import { summarise } from "./trial.ts";

const HOSTILE = '<img src=x onerror="go()"> | [click](javascript:go()) `a` \u202Eevil';

function summaryOf(rest: Partial<EvalSummary>): EvalSummary {
  const models = { router: "r", worker: "w", surgeon: "s" };
  const none = { rehearsal: false, seed: 0, models, cases: 0, stopped: null, cached: null };
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
