import { rate } from "../clues.ts";
import type { Clues } from "../clues.ts";
import type { Move, Repair } from "../repair.ts";
import { callsOf, chainAt, codeOf, functionAround, isName, tokenAt } from "../source.ts";
import type { Source } from "../source.ts";

const EXCHANGED = {
  order: 2,
  opposite: 3,
  number: 1,
  text: 0.7,
  nothing: 0.7,
  not_a_number: 0.7,
  type_mixed: 0.7,
  flag: 0.5,
  one_off: -0.3,
};

/** Two things in each other's place: arguments, operands, the two ends of a choice. */
export const exchangeNeighbours: Move = (source, clues) => [
  ...exchangeArguments(source, clues),
  ...exchangeOperands(source, clues),
  ...exchangeChoices(source, clues),
];

type Range = readonly [first: number, last: number];

function exchanged(
  source: Source,
  [a, b]: readonly [Range, Range],
  rest: Pick<Repair, "fit" | "note">,
): Repair {
  const edits = [
    { start: tokenAt(source, a[0]).start, end: tokenAt(source, a[1]).end, text: codeOf(source, b[0], b[1]) },
    { start: tokenAt(source, b[0]).start, end: tokenAt(source, b[1]).end, text: codeOf(source, a[0], a[1]) },
  ];
  return { kind: "argument", path: source.path, edits, line: tokenAt(source, a[0]).line, ...rest };
}

function exchangeArguments(source: Source, clues: Clues): Repair[] {
  const fit = rate(clues, EXCHANGED, 0.8);
  return callsOf(source).flatMap(({ args, name }) =>
    args.slice(1).flatMap((second, index): Repair[] => {
      const first = args[index];
      if (first === undefined || codeOf(source, first[0], first[1]) === codeOf(source, second[0], second[1]))
        return [];
      const isShort = [first, second].every(([from, to]) => to - from < 8);
      const note = `arguments of ${tokenAt(source, name).text} are exchanged`;
      return [exchanged(source, [first, second], { fit: isShort ? fit : fit * 0.4, note })];
    }),
  );
}

/** `a - b` becomes `b - a`; of operations in which the order matters. */
function exchangeOperands(source: Source, clues: Clues): Repair[] {
  const fit = rate(clues, EXCHANGED, 0.8);
  return source.tokens.flatMap((token, index): Repair[] => {
    if (!["-", "/", "%", "<", ">", "<=", ">=", "+"].includes(token.text) || token.kind !== "mark") return [];
    const left = operandBefore(source, index);
    const right = operandAfter(source, index);
    if (left === null || right === null) return [];
    const weight = token.text === "+" ? 0.5 : ["<", ">", "<=", ">="].includes(token.text) ? 0.4 : 1;
    return [
      exchanged(source, [left, right], {
        fit: fit * weight,
        note: `operands of ${token.text} are exchanged`,
      }),
    ];
  });
}

function isOperand(source: Source, index: number): boolean {
  const token = tokenAt(source, index);
  return (
    isName(token) ||
    token.kind === "number" ||
    token.kind === "string" ||
    token.text === ")" ||
    token.text === "]"
  );
}

function operandBefore(source: Source, index: number): Range | null {
  if (!isOperand(source, index - 1)) return null;
  const token = tokenAt(source, index - 1);
  if (token.kind !== "word" && token.kind !== "mark") return [index - 1, index - 1];
  return [chainAt(source, index - 1).first, index - 1];
}

function operandAfter(source: Source, index: number): Range | null {
  const token = tokenAt(source, index + 1);
  if (token.text === "(") return [index + 1, source.partners[index + 1] ?? index + 1];
  if (!isOperand(source, index + 1) || token.text === ")" || token.text === "]") return null;
  return token.kind === "word" ? [index + 1, chainAt(source, index + 1).last] : [index + 1, index + 1];
}

/** `c ? a : b` becomes `c ? b : a`, where both are short. */
function exchangeChoices(source: Source, clues: Clues): Repair[] {
  return source.tokens.flatMap((token, index): Repair[] => {
    if (token.text !== "?" || token.kind !== "mark") return [];
    const middle = endOfPart(source, index + 1, [":"]);
    const last = middle === null ? null : endOfPart(source, middle + 2, [";", ",", ")", "]", "}"]);
    if (middle === null || last === null) return [];
    const fit = rate(clues, { flag: 1, order: 2, text: 0.7, number: 0.7 }, 0.7);
    return [
      exchanged(
        source,
        [
          [index + 1, middle],
          [middle + 2, last],
        ],
        { fit, note: "the ends of a choice are exchanged" },
      ),
    ];
  });
}

/** Last token before one of the marks, brackets passed over; null where another choice begins or nothing ends it. */
function endOfPart(source: Source, from: number, ends: readonly string[]): number | null {
  for (let at = from; at < Math.min(source.tokens.length, from + 40); at += 1) {
    const { text } = tokenAt(source, at);
    if (ends.includes(text) && at > from) return at - 1;
    if (text === "?") return null;
    const partner = source.partners[at] ?? -1;
    if (partner > at) at = partner;
  }
  return null;
}

/**
 * What a function gives: a return that is missing, and another of its own variables in the place of the one
 * returned.
 */
export const returnValues: Move = (source, clues) => [
  ...returnLastStatement(source, clues),
  ...returnOthers(source, clues),
];

function returnLastStatement(source: Source, clues: Clues): Repair[] {
  const fit = rate(
    clues,
    {
      nothing: 2.5,
      member_of_nothing: 1,
      not_iterable: 1,
      flag: 0.5,
      type_mixed: 0.5,
      promise: 0.7,
      not_a_number: 0.7,
    },
    0.2,
  );
  return source.functions.flatMap((one): Repair[] => {
    if (one.isExpression) return [];
    const starts = statementStarts(source, one.body, one.last);
    const returns = source.tokens.slice(one.body, one.last).some(({ text }) => text === "return");
    const last = starts.at(-1);
    if (last === undefined) return [];
    const { start, line, text } = tokenAt(source, last);
    if (
      ["return", "throw", "const", "let", "if", "for", "while", "}", "break", "try", "switch"].includes(text)
    ) {
      return returnLocals(source, { one, fit: returns ? fit * 0.5 : fit });
    }
    const edit = { start, end: start, text: "return " };
    return [
      {
        kind: "return",
        path: source.path,
        edits: [edit],
        line,
        fit: returns ? fit * 0.6 : fit,
        note: "a return is put in",
      },
      ...returnLocals(source, { one, fit: fit * 0.8 }),
    ];
  });
}

/** First tokens of the statements directly in a body. */
function statementStarts(source: Source, body: number, last: number): number[] {
  const starts: number[] = [];
  let isStart = true;
  for (let at = body + 1; at < last; at += 1) {
    if (isStart) starts.push(at);
    const { text } = tokenAt(source, at);
    const partner = source.partners[at] ?? -1;
    isStart = text === ";";
    if (partner > at) {
      isStart =
        text === "{" &&
        tokenAt(source, partner + 1).text !== ")" &&
        tokenAt(source, partner + 1).text !== ";";
      at = partner;
    }
  }
  return starts;
}

/** `return x;` at the end of a function that gives nothing, for each variable it declares. */
function returnLocals(
  source: Source,
  { one, fit }: { readonly one: Source["functions"][number]; readonly fit: number },
): Repair[] {
  const closing = tokenAt(source, one.last);
  const before = tokenAt(source, one.last - 1);
  const endsInReturn = statementStarts(source, one.body, one.last).some(
    (start, index, all) => index === all.length - 1 && tokenAt(source, start).text === "return",
  );
  if (endsInReturn) return [];
  return localNames(source, one).map((name, rank) => ({
    kind: "return",
    path: source.path,
    edits: [{ start: before.end, end: before.end, text: `\n  return ${name};` }],
    line: closing.line,
    fit: fit * 0.85 ** rank,
    note: `${name} is returned`,
  }));
}

function localNames(source: Source, one: Source["functions"][number]): string[] {
  const declared = source.tokens.slice(one.body, one.last).flatMap(({ text }, offset) => {
    const next = tokenAt(source, one.body + offset + 1);
    return ["const", "let"].includes(text) &&
      isName(next) &&
      functionAround(source, one.body + offset) === one
      ? [next.text]
      : [];
  });
  return [...new Set([...declared, ...one.params])].slice(0, 4);
}

function returnOthers(source: Source, clues: Clues): Repair[] {
  const fit = rate(
    clues,
    { number: 0.5, nothing: 0.7, text: 0.5, type_mixed: 0.7, longer: 0.5, shorter: 0.5 },
    0.5,
  );
  return source.tokens.flatMap((token, index): Repair[] => {
    const value = tokenAt(source, index + 1);
    const around = functionAround(source, index);
    if (
      token.text !== "return" ||
      !isName(value) ||
      tokenAt(source, index + 2).text !== ";" ||
      around === null
    )
      return [];
    return localNames(source, around)
      .filter((name) => name !== value.text)
      .map((text) => ({
        kind: "return",
        path: source.path,
        edits: [{ start: value.start, end: value.end, text }],
        line: value.line,
        fit,
        note: `${text} is returned`,
      }));
  });
}
