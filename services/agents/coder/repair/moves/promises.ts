import { rate } from "../clues.ts";
import type { Clues } from "../clues.ts";
import type { Edit, Move, Repair } from "../repair.ts";
import { callsOf, chainAt, codeOf, functionAround, isDot, tokenAt } from "../source.ts";
import type { Call, Source } from "../source.ts";

const LATE = {
  promise: 3,
  nothing: 0.7,
  not_iterable: 1.5,
  not_a_function: 0.7,
  flag: 0.7,
  order: 0.7,
  type_mixed: 1,
  no_error: 1.5,
  shorter: 0.7,
  text: 0.3,
  not_a_number: 0.7,
};

/**
 * Calls whose promise nobody waits for: `await`, where need be with `async`; a list of promises; a promise not
 * returned.
 */
export const awaitPromises: Move = (source, clues) => [
  ...callsOf(source).flatMap((call) => awaitCall(source, { call, clues })),
  ...awaitMapped(source, clues),
  ...awaitLoops(source, clues),
];

function awaitCall(
  source: Source,
  { call, clues }: { readonly call: Call; readonly clues: Clues },
): Repair[] {
  const name = tokenAt(source, call.name).text;
  const { first, last } = chainAt(source, call.name);
  const isKnown = clues.asyncNames.has(name);
  const isWhole = last === call.close;
  if (isWhole && ["await", "new", "yield"].includes(tokenAt(source, first - 1).text)) return [];
  // A member is taken of what the call gives: of the promise, where it gives one.
  if (!isWhole && (!isKnown || tokenAt(source, call.close + 1).text === "(")) return [];
  const around = functionAround(source, first);
  if (!isKnown && (around === null || !around.isAsync)) return [];
  const start = tokenAt(source, first).start;
  const end = tokenAt(source, call.close).end;
  const isMember =
    isDot(tokenAt(source, call.close + 1).text) || tokenAt(source, call.close + 1).text === "[";
  const code = source.text.slice(start, end);
  const edits: Edit[] = [
    ...(around !== null && !around.isAsync ? [asyncAt(source, around.first)] : []),
    { start, end, text: isMember ? `(await ${code})` : `await ${code}` },
  ];
  const fit = rate(clues, LATE, isKnown ? 1.5 : 0.4) * (around?.isAsync === false ? 0.6 : 1);
  return [
    {
      kind: "await",
      path: source.path,
      edits,
      line: tokenAt(source, first).line,
      fit,
      note: `${name} is waited for`,
    },
  ];
}

/** Before a function's header, which for a method is its name. */
function asyncAt(source: Source, first: number): Edit {
  const { start } = tokenAt(source, first);
  return { start, end: start, text: "async " };
}

/** `xs.map(async …)` gives promises: they are waited for together. */
function awaitMapped(source: Source, clues: Clues): Repair[] {
  return callsOf(source).flatMap((call): Repair[] => {
    const { text, line } = tokenAt(source, call.name);
    const [argument] = call.args;
    const gives = argument === undefined ? "" : codeOf(source, argument[0], argument[1]);
    const isLate =
      gives.startsWith("async") ||
      clues.asyncNames.has(gives) ||
      [...clues.asyncNames].some((name) => gives.includes(`${name}(`));
    if (text !== "map" || !isLate) return [];
    const { first, last } = chainAt(source, call.name);
    if (last !== call.close) return [];
    const isAwaited = tokenAt(source, first - 1).text === "await";
    if (
      tokenAt(source, first - 1).text === "(" &&
      ["all", "allSettled"].includes(tokenAt(source, first - 2).text)
    )
      return [];
    const code = codeOf(source, first, last);
    const edit = {
      start: tokenAt(source, first).start,
      end: tokenAt(source, last).end,
      text: `${isAwaited ? "" : "await "}Promise.all(${code})`,
    };
    return [
      {
        kind: "await",
        path: source.path,
        edits: [edit],
        line,
        fit: rate(clues, LATE, 2),
        note: "a list of promises is waited for",
      },
    ];
  });
}

/** `xs.forEach(async (x) => …)` waits for nobody: a loop does. */
function awaitLoops(source: Source, clues: Clues): Repair[] {
  return callsOf(source).flatMap((call): Repair[] => {
    const [argument] = call.args;
    const arrow = source.functions.find(({ first }) => first === argument?.[0]);
    if (tokenAt(source, call.name).text !== "forEach" || arrow?.isAsync !== true || arrow.params.length !== 1)
      return [];
    const { first } = chainAt(source, call.name);
    const list = codeOf(source, first, call.name - 2);
    const body = codeOf(source, arrow.body, arrow.last);
    const edit = {
      start: tokenAt(source, first).start,
      end: tokenAt(source, call.close).end,
      text: `for (const ${arrow.params[0] ?? "item"} of ${list}) ${body}`,
    };
    return [
      {
        kind: "await",
        path: source.path,
        edits: [edit],
        line: tokenAt(source, first).line,
        fit: rate(clues, LATE, 1.5),
        note: "a loop waits for each",
      },
    ];
  });
}
