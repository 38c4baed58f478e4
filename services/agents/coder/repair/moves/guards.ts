import { rate } from "../clues.ts";
import type { Clues } from "../clues.ts";
import { readShown, UNREADABLE } from "../read-shown.ts";
import type { Move, Repair } from "../repair.ts";
import { chainAt, codeOf, functionAround, isDot, isName, isValuePlace, tokenAt } from "../source.ts";
import type { Source } from "../source.ts";

/** Guards against what is not there: optional members, defaults, an early return, a check before a division. */
export const guardAgainstNothing: Move = (source, clues) => [
  ...optionalMembers(source, clues),
  ...defaultValues(source, clues),
  ...earlyReturns(source, clues),
];

const ABSENT = { member_of_nothing: 3, not_iterable: 2, nothing: 0.5, not_a_number: 0.5 };

/** The member that an error says was read of nothing; any where none is named. */
function readMembers(clues: Clues): Set<string> {
  const found = clues.failing.flatMap(
    ({ message }) => /\((?:reading|setting) '([^']+)'\)/.exec(message)?.[1] ?? [],
  );
  return new Set(found);
}

function optionalMembers(source: Source, clues: Clues): Repair[] {
  if (!clues.symptoms.has("member_of_nothing")) return [];
  const named = readMembers(clues);
  return source.tokens.flatMap((token, index): Repair[] => {
    const isMember = token.text === "." && named.has(tokenAt(source, index + 1).text);
    if (!isMember || isAssigned(source, index + 1)) return [];
    const edit = { start: token.start, end: token.end, text: "?." };
    return [
      {
        kind: "guard",
        path: source.path,
        edits: [edit],
        line: token.line,
        fit: rate(clues, ABSENT, 0.5),
        note: "a member of what may be absent",
      },
    ];
  });
}

function isAssigned(source: Source, index: number): boolean {
  return ["=", "+=", "-=", "++", "--"].includes(tokenAt(source, chainAt(source, index).last + 1).text);
}

/** Values that stand for nothing, those that were expected first. */
function neutralValues(clues: Clues): string[] {
  const wanted = clues.failing.flatMap(({ expected }) => {
    if (expected === null || expected.length > 60) return [];
    const value = readShown(expected);
    return value === UNREADABLE || value === undefined ? [] : [JSON.stringify(value)];
  });
  return [...new Set([...wanted, "0", "[]", '""', "null", "{}"])].slice(0, 6);
}

/** `x` becomes `x ?? value`, where x is a member, an entry or a call's result. */
function defaultValues(source: Source, clues: Clues): Repair[] {
  const shows = ["nothing", "not_a_number", "member_of_nothing", "not_iterable"] as const;
  if (!shows.some((symptom) => clues.symptoms.has(symptom))) return [];
  const named = readMembers(clues);
  return source.tokens.flatMap((token, index): Repair[] => {
    const isEnd =
      token.text === "]" || token.text === ")" || (isName(token) && !isDot(tokenAt(source, index + 1).text));
    if (!isEnd) return [];
    const { first, last } = chainAt(source, index);
    const isPlace = last === index || named.has(tokenAt(source, index + 2).text);
    if (!isPlace || first === last || !canHaveDefault(source, first, index)) return [];
    const code = codeOf(source, first, index);
    return neutralValues(clues).map((value, rank) => ({
      kind: "guard",
      path: source.path,
      edits: [{ start: tokenAt(source, first).start, end: token.end, text: `(${code} ?? ${value})` }],
      line: token.line,
      fit:
        rate(clues, { member_of_nothing: 1.5, not_iterable: 1.5, nothing: 1, not_a_number: 1.5 }, 0.3) *
        0.8 ** rank,
      note: `a default for ${code.slice(0, 40)}`,
    }));
  });
}

function canHaveDefault(source: Source, first: number, last: number): boolean {
  const before = tokenAt(source, first - 1).text;
  const after = tokenAt(source, last + 1).text;
  if (["{", "}", ";", "new", "function", "class", "import", "."].includes(before)) return false;
  if (!isValuePlace(source, first)) return false;
  return !["=", "=>", "{", "+=", "-=", "++", "--", "??", "?.", "("].includes(after);
}

/** `if (x === undefined || …) return value;` at the head of a function. */
function earlyReturns(source: Source, clues: Clues): Repair[] {
  const fit = rate(
    clues,
    {
      member_of_nothing: 1.5,
      not_iterable: 1.2,
      not_a_number: 1.5,
      nothing: 0.4,
      unwanted_error: 1.2,
      endless: 0.5,
    },
    0.2,
  );
  const results = neutralValues(clues).slice(0, 3);
  return source.functions.flatMap((one) => {
    if (one.isExpression || functionAround(source, one.first) !== null) return [];
    const open = tokenAt(source, one.body);
    const guards = one.params.slice(0, 3).flatMap((name) => guardsFor(name, clues));
    return guards.flatMap((condition, rank) =>
      results.map((result, place): Repair => ({
        kind: "guard",
        path: source.path,
        edits: [{ start: open.end, end: open.end, text: `\n  if (${condition}) return ${result};` }],
        line: open.line,
        fit: fit * 0.85 ** (rank + place),
        note: `an early return where ${condition}`,
      })),
    );
  });
}

function guardsFor(name: string, clues: Clues): string[] {
  const guards = [`${name} === undefined || ${name} === null`];
  if (clues.symptoms.has("not_a_number") || clues.symptoms.has("number")) guards.push(`${name} === 0`);
  if (clues.symptoms.has("not_a_number") || clues.symptoms.has("member_of_nothing"))
    guards.push(`${name}.length === 0`);
  return guards;
}

/** An error that is expected and does not come: a check of each parameter that throws one of the expected kind. */
export const throwOnBadInput: Move = (source, clues) => {
  if (!clues.symptoms.has("no_error")) return [];
  const kind =
    clues.failing.flatMap(({ message }) => /\((\w*Error)\)/.exec(message)?.[1] ?? [])[0] ?? "RangeError";
  return source.functions.flatMap((one): Repair[] => {
    if (one.isExpression || functionAround(source, one.first) !== null) return [];
    const open = tokenAt(source, one.body);
    return one.params.slice(0, 3).flatMap((name) =>
      [
        `${name} < 0`,
        `!(${name} > 0)`,
        `typeof ${name} !== "string" || ${name} === ""`,
        `${name} === undefined || ${name} === null`,
      ].map((condition, rank): Repair => ({
        kind: "guard",
        path: source.path,
        edits: [
          {
            start: open.end,
            end: open.end,
            text: `\n  if (${condition}) throw new ${kind}("${name} is out of range");`,
          },
        ],
        line: open.line,
        fit: 1.2 * 0.85 ** rank,
        note: `an error where ${condition}`,
      })),
    );
  });
};
