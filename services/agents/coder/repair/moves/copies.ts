import { rate } from "../clues.ts";
import type { Clues } from "../clues.ts";
import type { Move, Repair } from "../repair.ts";
import { callsOf, chainAt, codeOf, functionAround, isDot, isName, isValuePlace, tokenAt } from "../source.ts";
import type { Source } from "../source.ts";

const SHARED = { shared_state: 3, longer: 1, order: 1, nothing: 0.3, number: 0.5, constant: 1.5, text: 0.3 };

/** Methods that change the list they are called on, and how the same is had of a copy. */
const IN_PLACE = new Set(["sort", "reverse", "splice", "push", "unshift", "fill"]);

/** What belongs to others is changed: a copy is changed in its place. */
export const changeCopies: Move = (source, clues) => [
  ...copyBeforeMethods(source, clues),
  ...copyTargets(source, clues),
  ...copyAssigned(source, clues),
];

function repairAt(
  source: Source,
  edit: { readonly first: number; readonly last: number; readonly text: string },
  rest: Pick<Repair, "fit" | "note">,
): Repair {
  const { start, line } = tokenAt(source, edit.first);
  const edits = [{ start, end: tokenAt(source, edit.last).end, text: edit.text }];
  return { kind: "copy", path: source.path, edits, line, ...rest };
}

/** `xs.sort(…)` becomes `[...xs].sort(…)`. */
function copyBeforeMethods(source: Source, clues: Clues): Repair[] {
  return callsOf(source).flatMap((call): Repair[] => {
    const { text } = tokenAt(source, call.name);
    const { first } = chainAt(source, call.name);
    if (!IN_PLACE.has(text) || !isDot(tokenAt(source, call.name - 1).text) || first > call.name - 2)
      return [];
    const list = codeOf(source, first, call.name - 2);
    const isStatement = [";", "{", "}", ""].includes(tokenAt(source, first - 1).text);
    // The copy of a statement is lost: only where its value is used does this change anything for the better.
    const fit = rate(clues, SHARED, isStatement ? 0.1 : 1.2) * (isStatement ? 0.2 : 1);
    return [
      repairAt(
        source,
        { first, last: call.name - 2, text: `[...${list}]` },
        { fit, note: `${text} of a copy` },
      ),
    ];
  });
}

/** `Object.assign(target, …)` becomes `Object.assign({}, target, …)`. */
function copyTargets(source: Source, clues: Clues): Repair[] {
  return callsOf(source).flatMap((call): Repair[] => {
    const [target] = call.args;
    const isAssign =
      tokenAt(source, call.name).text === "assign" && tokenAt(source, call.name - 2).text === "Object";
    if (!isAssign || target === undefined || tokenAt(source, target[0]).text === "{") return [];
    const text = `{}, ${codeOf(source, target[0], target[1])}`;
    return [
      repairAt(
        source,
        { first: target[0], last: target[1], text },
        { fit: rate(clues, SHARED, 1.5), note: "Object.assign to a copy" },
      ),
    ];
  });
}

/** `const x = shared;`, `return shared;`, `{ member: shared }`: a copy, flat or deep. */
function copyAssigned(source: Source, clues: Clues): Repair[] {
  return source.tokens.flatMap((token, index): Repair[] => {
    if (!isName(token) || isDot(tokenAt(source, index - 1).text)) return [];
    const { first, last } = chainAt(source, index);
    const [before, after] = [tokenAt(source, first - 1).text, tokenAt(source, last + 1).text];
    const isValue =
      ["=", "return", "??", "||", "=>", ":"].includes(before) && [";", ",", ")", "}"].includes(after);
    const isPlain = !codeOf(source, first, last).includes("(");
    if (!isValue || !isPlain || functionAround(source, index) === null || !isValuePlace(source, first))
      return [];
    const code = codeOf(source, first, last);
    const isModules = /^[A-Z][A-Z0-9_]*$/.test(token.text) || isModuleLevel(source, token.text);
    const fit = rate(clues, SHARED, 0.2) * (isModules ? 1.3 : 0.7);
    return [`{ ...${code} }`, `[...${code}]`, `structuredClone(${code})`].map((text, rank) =>
      repairAt(
        source,
        { first, last, text: before === "=>" && text.startsWith("{") ? `(${text})` : text },
        { fit: fit * 0.9 ** rank, note: `a copy of ${code.slice(0, 40)}` },
      ),
    );
  });
}

function isModuleLevel(source: Source, name: string): boolean {
  return source.tokens.some(
    ({ text }, index) =>
      text === name &&
      ["const", "let", "var"].includes(tokenAt(source, index - 1).text) &&
      functionAround(source, index) === null,
  );
}
