import type { StandIn } from "#shared/runtime";
import { isTestPath } from "../checkout/project-path.ts";
import { rankSuspects } from "../repair/rank-suspects.ts";
import type { CauseInput } from "./answer.ts";

/** Reads the cause from stacks, from what the failing tests call, and from what that calls. */
export const findCause: StandIn = (input: CauseInput) => {
  const suspects = rankSuspects(input);
  const [first] = input.failing;
  const what = first === undefined ? "Tests fail" : describe(first);
  const where =
    suspects[0] === undefined ? "" : ` The evidence points to ${suspects[0].symbol || suspects[0].path}.`;
  const fallback = input.sources.find(({ path }) => !isTestPath(path)) ?? input.sources[0];
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
