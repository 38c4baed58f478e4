import { rate } from "../clues.ts";
import type { Move, Repair } from "../repair.ts";
import { isDot, tokenAt } from "../source.ts";
import type { Symptom } from "../symptoms.ts";

type Boosts = Readonly<Partial<Record<Symptom, number>>>;

const ROUNDING: Boosts = { number: 1.5, one_off: 1 };
const PICKED: Boosts = { flag: 1.5, longer: 0.7, shorter: 0.7, nothing: 0.7 };
const ENDS: Boosts = { order: 1.5, nothing: 0.7, number: 0.7, text: 0.7, type_mixed: 0.5 };
const TEXTS: Boosts = { text: 1, letter_case: 2, blanks: 1.5, longer: 0.5, shorter: 0.5, flag: 0.7 };

/** Members that are written for one another, with what shows that. */
const FAMILIES: readonly (readonly [readonly string[], Boosts])[] = [
  [["floor", "ceil", "round", "trunc"], ROUNDING],
  [["min", "max"], { number: 2, one_off: 0.3, opposite: 0.3 }],
  [["some", "every"], PICKED],
  [["find", "findLast"], { ...ENDS, nothing: 0.3 }],
  [["find", "filter"], { type_mixed: 2, nothing: 0.5 }],
  [["map", "flatMap", "forEach", "filter"], { nothing: 1.5, type_mixed: 1, longer: 0.7, shorter: 0.7 }],
  [["shift", "pop"], ENDS],
  [["push", "unshift"], { ...ENDS, order: 2 }],
  [["push", "concat"], { type_mixed: 0.7, shorter: 0.7 }],
  [["indexOf", "lastIndexOf"], { number: 1, text: 1 }],
  [["slice", "splice"], { shared_state: 2, order: 0.5, longer: 0.5, shorter: 0.5 }],
  [["slice", "substring", "substr"], TEXTS],
  [["startsWith", "endsWith", "includes"], { ...PICKED, text: 0.5 }],
  [["toUpperCase", "toLowerCase"], TEXTS],
  [["padStart", "padEnd"], { text: 1, blanks: 1.5, spacing: 2 }],
  [["trimStart", "trimEnd", "trim"], TEXTS],
  [["keys", "values", "entries"], { type_mixed: 1.5, text: 1, number: 1, not_a_number: 1, nothing: 0.7 }],
  [["match", "matchAll"], { not_iterable: 1, type_mixed: 1, shorter: 0.5 }],
  [["sort", "toSorted"], { shared_state: 3, order: 0.5 }],
  [["reverse", "toReversed"], { shared_state: 3, order: 0.5 }],
  [["all", "allSettled", "race", "any"], { unwanted_error: 1, type_mixed: 1 }],
  [["getDay", "getDate"], { number: 1.5 }],
  [["getDay", "getUTCDay"], { number: 0.7 }],
  [["getMonth", "getUTCMonth", "getDate"], { number: 0.7 }],
  [["has", "get"], { flag: 1, nothing: 1, type_mixed: 1 }],
  [["continue", "break"], { shorter: 1.5, longer: 1.5, number: 1, nothing: 0.5 }],
  [["true", "false"], { flag: 1.5, longer: 0.7, shorter: 0.7, text: 0.5 }],
  [["null", "undefined"], { nothing: 2, type_mixed: 0.5 }],
  [["in", "of"], { text: 1, number: 1, type_mixed: 1.5, not_a_number: 1.5, nothing: 1 }],
];

const NO_MEMBERS = new Set(["continue", "break", "true", "false", "null", "undefined", "in", "of"]);

/** Methods and words that stand for one another. */
export const swapMethods: Move = (source, clues) =>
  source.tokens.flatMap((token, index) => {
    if (token.kind !== "word" || isDot(tokenAt(source, index - 1).text) === NO_MEMBERS.has(token.text))
      return [];
    return FAMILIES.filter(([names]) => names.includes(token.text)).flatMap(([names, when]) =>
      names
        .filter((name) => name !== token.text)
        .map((text): Repair => ({
          kind: "method",
          path: source.path,
          edits: [{ start: token.start, end: token.end, text }],
          line: token.line,
          fit: rate(clues, when, 0.7),
          note: `${token.text} becomes ${text}`,
        })),
    );
  });

/** Patterns that look once, at one case or anywhere, and replacements of the first place alone. */
export const loosenPatterns: Move = (source, clues) => {
  const fit = rate(clues, { text: 1.5, longer: 0.5, shorter: 0.5, flag: 1, letter_case: 1, blanks: 1 }, 0.5);
  return source.tokens.flatMap((token, index): Repair[] => {
    const put = (text: string, note: string): Repair => ({
      kind: "method",
      path: source.path,
      edits: [{ start: token.start, end: token.end, text }],
      line: token.line,
      fit,
      note,
    });
    if (token.text === "replace" && isDot(tokenAt(source, index - 1).text)) {
      const isPattern = tokenAt(source, index + 2).kind === "regex";
      return isPattern ? [] : [put("replaceAll", "every place is replaced")];
    }
    if (token.kind !== "regex") return [];
    const flags = /[a-z]*$/.exec(token.text)?.[0] ?? "";
    const body = token.text.slice(1, token.text.length - flags.length - 1);
    const added = ["g", "i", "m"].filter((flag) => !flags.includes(flag));
    return [
      ...added.map((flag) => put(`/${body}/${flags}${flag}`, `the flag ${flag} is added`)),
      ...(flags.includes("g") ? [put(`/${body}/${flags.replace("g", "")}`, "the flag g is dropped")] : []),
      ...(body.startsWith("^") ? [] : [put(`/^${body}/${flags}`, "from the beginning alone")]),
      ...(body.endsWith("$") ? [] : [put(`/${body}$/${flags}`, "to the end alone")]),
    ];
  });
};
