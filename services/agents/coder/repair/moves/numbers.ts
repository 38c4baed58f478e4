import { rate } from "../clues.ts";
import { readShown } from "../read-shown.ts";
import type { Move, Repair } from "../repair.ts";
import { callsOf, chainAt, codeOf, enclosing, isDot, isName, isValuePlace, tokenAt } from "../source.ts";
import type { Chain, Source } from "../source.ts";

const BY_ONE = {
  one_off: 2.5,
  spacing: 1.5,
  longer: 1,
  shorter: 1,
  number: 0.7,
  nothing: 1,
  not_a_number: 0.5,
  endless: 0.5,
  text: 0.5,
};

/** Small whole numbers that are one too many or too few, and steps of one that are missing or too many. */
export const shiftByOne: Move = (source, clues) => {
  const fit = rate(clues, BY_ONE);
  return [...shiftLiterals(source, fit), ...dropSteps(source, fit), ...addSteps(source, fit)];
};

function shiftLiterals(source: Source, fit: number): Repair[] {
  return source.tokens.flatMap((token, index): Repair[] => {
    if (token.kind !== "number" || !/^\d{1,6}$/.test(token.text)) return [];
    const value = Number(token.text);
    const isSmall = value <= 2;
    return [value - 1, value + 1]
      .filter((next) => next >= 0 && tokenAt(source, index - 1).text !== ".")
      .map((next) => ({
        kind: "off_by_one",
        path: source.path,
        edits: [{ start: token.start, end: token.end, text: String(next) }],
        line: token.line,
        fit: fit * (isSmall ? 1 : 0.7),
        note: `${token.text} becomes ${next}`,
      }));
  });
}

/** `x - 1` becomes `x`. */
function dropSteps(source: Source, fit: number): Repair[] {
  return source.tokens.flatMap((token, index): Repair[] => {
    const sign = tokenAt(source, index - 1);
    if (token.text !== "1" || !["+", "-"].includes(sign.text)) return [];
    const edit = { start: tokenAt(source, index - 2).end, end: token.end, text: "" };
    return [
      {
        kind: "off_by_one",
        path: source.path,
        edits: [edit],
        line: token.line,
        fit: fit * 1.1,
        note: "a step of one is dropped",
      },
    ];
  });
}

/** `x.length` becomes `x.length - 1`; arguments, indexes, bounds and results may be one off too. */
function addSteps(source: Source, fit: number): Repair[] {
  return source.tokens.flatMap((token, index): Repair[] => {
    if (token.kind !== "word" || (!isName(token) && token.text !== "length")) return [];
    const { first, last } = chainAt(source, index);
    if (last !== index || !isValuePlace(source, first) || !isCounted(source, { first, last })) return [];
    const isLength = isDot(tokenAt(source, index - 1).text) && ["length", "size"].includes(token.text);
    return ["- 1", "+ 1"].map((step) => ({
      kind: "off_by_one",
      path: source.path,
      edits: [{ start: token.end, end: token.end, text: ` ${step}` }],
      line: token.line,
      fit: fit * (isLength ? 0.9 : 0.55),
      note: `${codeOf(source, first, last)} becomes ${step}`,
    }));
  });
}

const COMPARED = new Set(["<", "<=", ">", ">=", "+", "-", "==="]);
/** Calls whose arguments count something. */
const COUNTING = new Set(
  "slice splice substring substr at charAt charCodeAt repeat padStart padEnd Array from fill UTC Date max min".split(
    " ",
  ),
);

/** Beside a comparison or a sum, as an index, as an argument that counts, or as a result. */
function isCounted(source: Source, { first, last }: Chain): boolean {
  const [before, after] = [tokenAt(source, first - 1).text, tokenAt(source, last + 1).text];
  if (COMPARED.has(before) || COMPARED.has(after)) return !["(", ".", "?."].includes(after);
  const open = enclosing(source, first);
  const isIndex = before === "[" && after === "]" && chainAt(source, open - 1).first < open;
  const isArgument = tokenAt(source, open).text === "(" && COUNTING.has(tokenAt(source, open - 1).text);
  const isResult = before === "return" || before === "=>";
  return isIndex || (isArgument && [",", ")"].includes(after)) || (isResult && [";", ")"].includes(after));
}

/** A bare number or text in the code takes the place of one that the failure speaks of. */
export const replaceLiterals: Move = (source, clues) => {
  const wanted = clues.failing.flatMap(({ expected, actual }) =>
    expected === null || actual === null ? [] : pairsOf(readShown(expected), readShown(actual), 0),
  );
  return source.tokens.flatMap((token): Repair[] => {
    if (token.kind !== "number" && token.kind !== "string") return [];
    const own = token.kind === "number" ? Number(token.text.replaceAll("_", "")) : token.text.slice(1, -1);
    return replacementsFor(own, wanted).map((text) => ({
      kind: "literal",
      path: source.path,
      edits: [{ start: token.start, end: token.end, text }],
      line: token.line,
      fit: 3,
      note: `${token.text.slice(0, 40)} becomes ${text.slice(0, 40)}`,
    }));
  });
};

type Pair = readonly [wanted: unknown, got: unknown];

function pairsOf(wanted: unknown, got: unknown, depth: number): Pair[] {
  if (Object.is(wanted, got) || depth > 6) return [];
  if (typeof wanted === "object" && wanted !== null && typeof got === "object" && got !== null) {
    const other = new Map(Object.entries(got));
    return Object.entries(wanted).flatMap(([key, one]) => pairsOf(one, other.get(key), depth + 1));
  }
  return [[wanted, got]];
}

/** Where the code holds the very value that came, what was wanted; where it holds a part of a text, that part. */
function replacementsFor(own: string | number, pairs: readonly Pair[]): string[] {
  const found = pairs.flatMap(([wanted, got]) => {
    if (typeof wanted === "number" && got === own) return [String(wanted)];
    if (typeof wanted !== "string" || typeof got !== "string" || typeof own !== "string") return [];
    if (got === own) return [JSON.stringify(wanted)];
    const part = differingPart(wanted, got);
    return part.got !== "" && own.includes(part.got)
      ? [JSON.stringify(own.replace(part.got, part.wanted))]
      : [];
  });
  return [...new Set(found)].slice(0, 2);
}

/** The middle in which two texts differ. */
function differingPart(wanted: string, got: string): { readonly wanted: string; readonly got: string } {
  let head = 0;
  while (head < wanted.length && wanted[head] === got[head]) head += 1;
  let tail = 0;
  const most = Math.min(wanted.length, got.length) - head;
  while (tail < most && wanted.at(-1 - tail) === got.at(-1 - tail)) tail += 1;
  return { wanted: wanted.slice(head, wanted.length - tail), got: got.slice(head, got.length - tail) };
}

/** Factors that units and percentages come to grief by: one digit too many or too few. */
export const scaleLiterals: Move = (source, clues) => {
  const fit = rate(clues, { number: 1.2, text: 0.3 }, 0.4);
  const inCalls = new Set(callsOf(source).flatMap(({ args }) => args.flatMap(([first]) => [first])));
  return source.tokens.flatMap((token, index): Repair[] => {
    if (token.kind !== "number" || !/^10*$/.test(token.text) || token.text === "1") return [];
    return [`${token.text}0`, token.text.slice(0, -1)].map((text) => ({
      kind: "literal",
      path: source.path,
      edits: [{ start: token.start, end: token.end, text }],
      line: token.line,
      fit: fit * (inCalls.has(index) ? 0.7 : 1),
      note: `${token.text} becomes ${text}`,
    }));
  });
};
