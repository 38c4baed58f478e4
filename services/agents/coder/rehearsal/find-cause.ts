import { z } from "zod";
import { callTools } from "#shared/runtime/tools";
import type { StandIn } from "#shared/runtime";
import type { StandInTools } from "#shared/runtime/tools";
import type { SourceText } from "../checkout/select-sources.ts";
import { belongsToTests } from "../checkout/project-path.ts";
import type { Suspect } from "../contract-fields.ts";
import type { CauseInput } from "../explorer/answer.ts";
import { listFunctions, wordsOf } from "./read-code.ts";
import type { FunctionPlace } from "./read-code.ts";

const SUSPECTS_MAX = 10;
/** Lines before a failed line whose words count as what the test calls. */
const LINES_NEAR = 4;

/** Names that are looked for, and files that are read, before the cause is named. */
const LOOKS_MAX = 3;

/**
 * Names the functions on failures' stacks and those that failing tests call, then what those call. What a failing test
 * calls and no shown file has is searched for first, and the files that have it are read.
 */
export const findCause: StandIn = (input: CauseInput, _random, _images, tools) => {
  const looked = tools === undefined ? input.sources : lookFurther(input, tools);
  return Array.isArray(looked) ? nameCause({ ...input, sources: looked }) : looked;
};

/** Returns the files that are known after a look around, or the calls with which it goes on. */
function lookFurther({ failing, sources }: CauseInput, { offered, results }: StandInTools) {
  const known = [...sources, ...results.flatMap(readBy)];
  const words = new Set(
    known.filter(({ path }) => !belongsToTests(path)).flatMap(({ text }) => [...wordsOf(text)]),
  );
  const called = failing.flatMap(({ file, line }) => {
    const lines = sources.find(({ path }) => path === file)?.text.split("\n") ?? [];
    const near = lines.slice(Math.max(0, line - LINES_NEAR), line).join("\n");
    return [...near.matchAll(/(?<![\w.])([A-Za-z_]\w+)\(/g)].map(([, name = ""]) => name);
  });
  const unknown = [...new Set(called)].filter((name) => !words.has(name) && !COMMON.has(name));
  if (results.length === 0 && offered.includes("search") && unknown.length > 0)
    return callTools(...unknown.slice(0, LOOKS_MAX).map((text) => ({ tool: "search", arguments: { text } })));
  const paths = new Set(results.flatMap(foundBy).filter((path) => !belongsToTests(path)));
  const unread = [...paths].filter((path) => known.every((one) => one.path !== path));
  if (results.every(({ tool }) => tool === "search") && offered.includes("read_file") && unread.length > 0)
    return callTools(
      ...unread.slice(0, LOOKS_MAX).map((path) => ({ tool: "read_file", arguments: { path } })),
    );
  return known;
}

/** What tests call that is no part of the project. */
const COMMON = new Set([
  "test",
  "it",
  "describe",
  "expect",
  "assert",
  "import",
  "require",
  "function",
  "print",
]);

type Result = StandInTools["results"][number];

const readSchema = z.object({
  tool: z.literal("read_file"),
  arguments: z.object({ path: z.string() }),
  outcome: z.object({ output: z.object({ text: z.string() }) }),
});
const foundSchema = z.object({
  outcome: z.object({ output: z.object({ hits: z.array(z.object({ path: z.string() })) }) }),
});

function readBy(result: Result): SourceText[] {
  const { data } = readSchema.safeParse(result);
  return data === undefined ? [] : [{ path: data.arguments.path, text: data.outcome.output.text }];
}

function foundBy(result: Result): string[] {
  return foundSchema.safeParse(result).data?.outcome.output.hits.map(({ path }) => path) ?? [];
}

function nameCause({ failing, sources }: CauseInput): object {
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
}

function holds(one: FunctionPlace, frame: { readonly path: string; readonly line: number }): boolean {
  return frame.path === one.path && one.line <= frame.line && frame.line <= one.lastLine;
}
