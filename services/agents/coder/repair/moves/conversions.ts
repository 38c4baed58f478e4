import { rate } from "../clues.ts";
import type { Clues } from "../clues.ts";
import type { Move, Repair } from "../repair.ts";
import {
  callsOf,
  chainAt,
  codeOf,
  functionAround,
  isDot,
  isName,
  isObject,
  isValuePlace,
  enclosing,
  tokenAt,
} from "../source.ts";
import type { Source } from "../source.ts";

const MIXED = { type_mixed: 2.5, number: 0.7, text: 0.7, not_a_number: 1, order: 1, longer: 0.5, flag: 0.5 };

/** Texts taken for numbers and numbers for texts; blanks and capitals that count or do not. */
export const convertValues: Move = (source, clues) => [
  ...wrapOperands(source, clues),
  ...wrapShorthands(source, clues),
  ...compareAsNumbers(source, clues),
  ...normaliseTexts(source, clues),
];

const TO_NUMBER = new Set([
  "+",
  "-",
  "*",
  "/",
  "+=",
  "-=",
  "<",
  ">",
  "<=",
  ">=",
  "===",
  "!==",
  "return",
  "=",
  ":",
  "(",
  ",",
  "=>",
]);

function wrapOperands(source: Source, clues: Clues): Repair[] {
  return source.tokens.flatMap((token, index): Repair[] => {
    if (!isName(token) && token.text !== "]" && token.text !== ")") return [];
    const { first, last } = chainAt(source, index);
    if (last !== index || functionAround(source, index) === null || !isValuePlace(source, first)) return [];
    const [before, after] = [tokenAt(source, first - 1).text, tokenAt(source, last + 1).text];
    const isOperand = ["+", "-", "*", "/", "+=", "===", "!==", "<", ">"].some(
      (sign) => sign === before || sign === after,
    );
    if (!TO_NUMBER.has(before) || isDot(after) || ["=", "=>", "(", "{"].includes(after)) return [];
    const code = codeOf(source, first, last);
    const fit = rate(clues, MIXED, 0.2) * (isOperand ? 1 : 0.6);
    return ["Number", "String"].map((call, rank) => ({
      kind: "conversion",
      path: source.path,
      edits: [{ start: tokenAt(source, first).start, end: token.end, text: `${call}(${code})` }],
      line: token.line,
      fit: fit * (rank === 0 ? 1 : 0.6),
      note: `${code.slice(0, 40)} as ${call.toLowerCase()}`,
    }));
  });
}

/** `{ count }` becomes `{ count: Number(count) }`. */
function wrapShorthands(source: Source, clues: Clues): Repair[] {
  return source.tokens.flatMap((token, index): Repair[] => {
    const [before, after] = [tokenAt(source, index - 1).text, tokenAt(source, index + 1).text];
    const open = enclosing(source, index);
    const isShorthand =
      ["{", ","].includes(before) && [",", "}"].includes(after) && tokenAt(source, open).text === "{";
    if (!isName(token) || !isShorthand || !isObject(source, open) || !isValuePlace(source, index)) return [];
    return ["Number", "String"].map((call, rank) => ({
      kind: "conversion",
      path: source.path,
      edits: [{ start: token.start, end: token.end, text: `${token.text}: ${call}(${token.text})` }],
      line: token.line,
      fit: rate(clues, MIXED, 0.2) * (rank === 0 ? 1 : 0.6) * (isMixed(clues, token.text) ? 1.6 : 1),
      note: `${token.text} as ${call.toLowerCase()}`,
    }));
  });
}

/** Whether a failure shows a member of that name. */
function isMixed({ failing }: Clues, name: string): boolean {
  return failing.some(({ expected }) => expected?.includes(`${name}:`) === true);
}

/** `sort()` goes by letters; a parser without a base reads what it likes. */
function compareAsNumbers(source: Source, clues: Clues): Repair[] {
  return callsOf(source).flatMap((call): Repair[] => {
    const { text, line } = tokenAt(source, call.name);
    const at = tokenAt(source, call.close).start;
    const place = { path: source.path, line, kind: "conversion" } as const;
    if (["sort", "toSorted"].includes(text) && call.args.length === 0) {
      const fit = rate(clues, { order: 3, type_mixed: 1, number: 0.7 });
      return ["(a, b) => a - b", "(a, b) => b - a"].map((order, rank) => ({
        ...place,
        edits: [{ start: at, end: at, text: order }],
        fit: fit * 0.8 ** rank,
        note: "sorted as numbers",
      }));
    }
    if (text !== "parseInt") return [];
    const fit = rate(clues, { number: 1, not_a_number: 0.5 }, 0.7);
    const base = { ...place, edits: [{ start: at, end: at, text: ", 10" }], fit, note: "read in base ten" };
    const { start, end } = tokenAt(source, call.name);
    const fractions = {
      ...place,
      edits: [{ start, end, text: "parseFloat" }],
      fit,
      note: "fractions are kept",
    };
    return call.args.length === 1 ? [base, fractions] : [fractions];
  });
}

function normaliseTexts(source: Source, clues: Clues): Repair[] {
  const calls = [
    ...(clues.symptoms.has("blanks") ? [".trim()", ".trimEnd()"] : []),
    ...(clues.symptoms.has("letter_case") || clues.symptoms.has("flag") || clues.symptoms.has("nothing")
      ? [".toLowerCase()", ".toUpperCase()"]
      : []),
  ];
  return source.tokens.flatMap((token, index): Repair[] => {
    if (!isName(token) && token.text !== "]" && token.text !== ")") return [];
    const { first, last } = chainAt(source, index);
    if (!isValuePlace(source, first)) return [];
    const after = tokenAt(source, last + 1).text;
    if (last !== index || functionAround(source, index) === null || ["=", "=>", "{", "("].includes(after))
      return [];
    return calls.map((call, rank) => ({
      kind: "conversion",
      path: source.path,
      edits: [{ start: token.end, end: token.end, text: call }],
      line: token.line,
      fit: rate(clues, { blanks: 1.5, letter_case: 1.5 }, 0.4) * 0.85 ** rank,
      note: `${call} is put in`,
    }));
  });
}
