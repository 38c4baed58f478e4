import { rate } from "../clues.ts";
import type { Clues } from "../clues.ts";
import { readShown, UNREADABLE } from "../read-shown.ts";
import type { Move, Repair } from "../repair.ts";
import { callsOf, tokenAt } from "../source.ts";
import type { Source } from "../source.ts";

const PLAIN = new Set(["0", "1", '""', "''", "true", "false", "null", "undefined", "Infinity"]);

/** The value something begins with: of a parameter, a variable, a sum. */
export const changeStartingValues: Move = (source, clues) => [
  ...changeDefaults(source, clues),
  ...startSums(source, clues),
];

/** Values to begin with, as far as the failure speaks for them. */
function startingValues(clues: Clues): string[] {
  const wanted = clues.failing.flatMap(({ expected }) => {
    const value = expected === null ? UNREADABLE : readShown(expected);
    return ["number", "boolean", "string"].includes(typeof value) && expected !== null && expected.length < 40
      ? [JSON.stringify(value)]
      : [];
  });
  return [...new Set([...wanted, "0", "1", '""', "true", "false", "null", "Infinity", "-Infinity"])].slice(
    0,
    9,
  );
}

/** `x = 0` where x is a parameter or a variable, and `?? 0`: another plain value. */
function changeDefaults(source: Source, clues: Clues): Repair[] {
  const fit = rate(
    clues,
    { number: 1, flag: 1, text: 0.7, nothing: 1, type_mixed: 0.7, not_a_number: 1, one_off: 0.5 },
    0.4,
  );
  return source.tokens.flatMap((token, index): Repair[] => {
    const before = tokenAt(source, index - 1).text;
    if (!["=", "??", "||", ":"].includes(before) || (token.kind === "mark" && token.text !== "[")) return [];
    const isPlain = PLAIN.has(token.text) || token.kind === "number";
    if (!isPlain || ![",", ")", ";", "}"].includes(tokenAt(source, index + 1).text)) return [];
    return startingValues(clues)
      .filter((value) => value !== token.text)
      .map((text, rank) => ({
        kind: "default",
        path: source.path,
        edits: [{ start: token.start, end: token.end, text }],
        line: token.line,
        fit: fit * 0.88 ** rank,
        note: `${token.text} becomes ${text}`,
      }));
  });
}

/** `xs.reduce(f)` fails for an empty list: it begins with nothing. */
function startSums(source: Source, clues: Clues): Repair[] {
  const isEmpty = clues.failing.some(({ message }) => message.includes("Reduce of empty array"));
  return callsOf(source).flatMap(({ name, close, args }): Repair[] => {
    if (tokenAt(source, name).text !== "reduce" || args.length !== 1) return [];
    const at = tokenAt(source, close).start;
    return ["0", "[]", "{}", '""', "1"].map((text, rank) => ({
      kind: "default",
      path: source.path,
      edits: [{ start: at, end: at, text: `, ${text}` }],
      line: tokenAt(source, name).line,
      fit: (isEmpty ? 5 : rate(clues, { not_a_number: 1, text: 0.5, type_mixed: 1.5 }, 0.5)) * 0.85 ** rank,
      note: `the sum begins with ${text}`,
    }));
  });
}
