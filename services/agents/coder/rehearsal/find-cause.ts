import type { StandIn } from "#shared/runtime";
import { belongsToTests } from "../checkout/project-path.ts";
import type { Suspect } from "../contract-fields.ts";
import type { CauseInput } from "../explorer/answer.ts";
import { listFunctions, wordsOf } from "./read-code.ts";
import type { FunctionPlace } from "./read-code.ts";

const SUSPECTS_MAX = 10;
/** Lines before a failed line whose words count as what the test calls. */
const LINES_NEAR = 4;
/** The share of a function's score that each function it calls gets, and how many calls deep. */
const CALLEE_SHARE = 0.55;
const CALLS_DEEP = 3;

/** Names the functions on failures' stacks, those that failing tests and the report name, and what those call. */
export const findCause: StandIn = (input: CauseInput) => {
  const [first] = input.failing;
  const what = first === undefined ? "Tests fail" : describe(first);
  const suspects = rankFunctions(input);
  const [likeliest] = suspects;
  const where = likeliest === undefined ? "" : ` The evidence points to ${likeliest.symbol}.`;
  const fallback = input.sources.find(({ path }) => !belongsToTests(path)) ?? input.sources[0];
  return {
    cause: `${what}.${where}`.slice(0, 1000),
    suspects:
      suspects.length > 0
        ? suspects
        : [{ path: fallback?.path ?? "index.js", line: 1, symbol: "", because: "No other place shows." }],
  };
};

function describe({ name, expected, actual, message }: CauseInput["failing"][number]): string {
  const test = name === "" ? "A test file" : `The test "${name}"`;
  if (expected !== null && actual !== null) return `${test} wants ${expected} and gets ${actual}`;
  return `${test} fails: ${message.split("\n")[0] ?? ""}`;
}

function rankFunctions(input: CauseInput): Suspect[] {
  const functions = input.sources.filter(({ path }) => !belongsToTests(path)).flatMap(listFunctions);
  const reported = wordsOf(`${input.issue} ${input.goal}`.toLowerCase());
  const scores = new Map(functions.map((one) => [one, scoreOf(one, input, reported)]));
  let callers = new Map(scores);
  for (let depth = 0; depth < CALLS_DEEP; depth += 1) {
    const next = new Map<FunctionPlace, number>();
    for (const callee of functions) {
      const users = functions.filter((one) => one !== callee && one.words.has(callee.name));
      const share = Math.max(0, ...users.map((one) => callers.get(one) ?? 0)) * CALLEE_SHARE;
      next.set(callee, share);
      scores.set(callee, (scores.get(callee) ?? 0) + share);
    }
    callers = next;
  }
  return [...scores]
    .filter(([, score]) => score > 0)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, SUSPECTS_MAX)
    .map(([{ path, line, name }]) => {
      return { path, line, symbol: name, because: "Failing tests lead to it." };
    });
}

function scoreOf(one: FunctionPlace, { failing, sources }: CauseInput, reported: Set<string>): number {
  const scores = failing.map(({ file, line, frames }) => {
    const depth = frames
      .filter(({ path }) => !belongsToTests(path))
      .findIndex((frame) => frame.path === one.path && one.line <= frame.line && frame.line <= one.lastLine);
    const failed = frames.find(({ path }) => path === file)?.line ?? line;
    const lines = sources.find(({ path }) => path === file)?.text.split("\n") ?? [];
    const near = wordsOf(lines.slice(Math.max(0, failed - LINES_NEAR), failed).join("\n"));
    return (depth < 0 ? 0 : 3 * 0.7 ** depth) + (near.has(one.name) ? 2 : 0);
  });
  return scores.reduce((sum, score) => sum + score, reported.has(one.name.toLowerCase()) ? 1 : 0);
}
