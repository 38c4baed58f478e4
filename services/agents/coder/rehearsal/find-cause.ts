import type { StandIn } from "#shared/runtime";
import { belongsToTests } from "../checkout/project-path.ts";
import type { Suspect } from "../contract-fields.ts";
import type { CauseInput } from "../explorer/answer.ts";
import { listFunctions, wordsOf } from "./read-code.ts";
import type { FunctionPlace } from "./read-code.ts";

const SUSPECTS_MAX = 10;
/** Lines before a failed line whose words count as what the test calls. */
const LINES_NEAR = 4;

/** Names the functions on failures' stacks and those that failing tests call, then what those call. */
export const findCause: StandIn = ({ failing, sources }: CauseInput) => {
  const functions = sources.filter(({ path }) => !belongsToTests(path)).flatMap(listFunctions);
  const onStack = failing.flatMap(({ frames }) =>
    frames.flatMap((frame) => functions.filter((one) => holds(one, frame))),
  );
  const near = failing.map(({ file, line, frames }) => {
    const failed = frames.find(({ path }) => path === file)?.line ?? line;
    const lines = sources.find(({ path }) => path === file)?.text.split("\n") ?? [];
    return wordsOf(lines.slice(Math.max(0, failed - LINES_NEAR), failed).join("\n"));
  });
  const called = functions.filter(({ name }) => near.some((words) => words.has(name)));
  const suspected = new Set([...onStack, ...called]);
  // A set that grows while it is walked reaches what its members call, however deep.
  for (const caller of suspected)
    for (const one of functions) if (caller.words.has(one.name)) suspected.add(one);
  const suspects = [...suspected].slice(0, SUSPECTS_MAX).map(({ path, line, name }): Suspect => {
    return { path, line, symbol: name, because: "Failing tests lead to it." };
  });
  const [first] = failing;
  const path = sources.find((one) => !belongsToTests(one.path))?.path ?? "index.js";
  return {
    cause: `${first?.name ?? "A test"} fails: ${first?.message ?? ""}`.slice(0, 1000),
    suspects:
      suspects.length > 0 ? suspects : [{ path, line: 1, symbol: "", because: "No other place shows." }],
  };
};

function holds(one: FunctionPlace, frame: { readonly path: string; readonly line: number }): boolean {
  return frame.path === one.path && one.line <= frame.line && frame.line <= one.lastLine;
}
