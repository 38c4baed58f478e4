import { rate } from "../clues.ts";
import type { Clues } from "../clues.ts";
import type { Move, Repair, RepairKind } from "../repair.ts";
import { chainAt, tokenAt } from "../source.ts";
import type { Source } from "../source.ts";
import type { Symptom } from "../symptoms.ts";

interface Swap {
  readonly kind: RepairKind;
  readonly to: readonly string[];
  readonly when: Readonly<Partial<Record<Symptom, number>>>;
  /** Default 1. */
  readonly base?: number;
}

const BOUNDARY = {
  one_off: 2,
  longer: 1,
  shorter: 1,
  flag: 1.5,
  number: 0.5,
  endless: 1,
  no_error: 1.5,
  unwanted_error: 1.5,
};
const TURNED = {
  flag: 1,
  opposite: 1,
  order: 2,
  nothing: 0.5,
  number: 0.3,
  longer: 0.5,
  shorter: 0.5,
  no_error: 0.7,
};
const REVERSED = { flag: 1.5, longer: 0.7, shorter: 0.7, no_error: 1, nothing: 0.5, unwanted_error: 0.5 };
const COUNTED = { number: 1.5, opposite: 2, not_a_number: 0.7, order: 1 };

/** Each operator with what people write in its place by mistake, the likeliest first. */
const SWAPS: Readonly<Record<string, readonly Swap[]>> = {
  "<": [
    { kind: "comparison", to: ["<="], when: BOUNDARY, base: 1.3 },
    { kind: "comparison", to: [">", ">="], when: TURNED },
  ],
  "<=": [
    { kind: "comparison", to: ["<"], when: BOUNDARY, base: 1.3 },
    { kind: "comparison", to: [">=", ">"], when: TURNED },
  ],
  ">": [
    { kind: "comparison", to: [">="], when: BOUNDARY, base: 1.3 },
    { kind: "comparison", to: ["<", "<="], when: TURNED },
  ],
  ">=": [
    { kind: "comparison", to: [">"], when: BOUNDARY, base: 1.3 },
    { kind: "comparison", to: ["<=", "<"], when: TURNED },
  ],
  "===": [{ kind: "comparison", to: ["!=="], when: REVERSED }],
  "!==": [{ kind: "comparison", to: ["==="], when: REVERSED }],
  "==": [{ kind: "comparison", to: ["===", "!="], when: { ...REVERSED, type_mixed: 1 } }],
  "!=": [{ kind: "comparison", to: ["!==", "=="], when: { ...REVERSED, type_mixed: 1 } }],
  "+": [{ kind: "arithmetic", to: ["-"], when: COUNTED }],
  "-": [{ kind: "arithmetic", to: ["+"], when: COUNTED }],
  "*": [{ kind: "arithmetic", to: ["/", "+"], when: COUNTED }],
  "/": [{ kind: "arithmetic", to: ["*", "%"], when: COUNTED }],
  "%": [{ kind: "arithmetic", to: ["/", "*"], when: COUNTED }],
  "&&": [
    {
      kind: "logic",
      to: ["||"],
      when: { flag: 2, longer: 0.7, shorter: 0.7, nothing: 0.5, no_error: 1.5, unwanted_error: 1 },
    },
  ],
  "||": [
    {
      kind: "logic",
      to: ["??"],
      when: { number: 1.5, flag: 1, text: 1, type_mixed: 1, shorter: 0.3 },
      base: 1.2,
    },
    {
      kind: "logic",
      to: ["&&"],
      when: { flag: 2, longer: 0.7, shorter: 0.7, no_error: 1.5, unwanted_error: 1 },
    },
  ],
  "??": [{ kind: "logic", to: ["||"], when: { nothing: 1, not_a_number: 1, text: 0.5 } }],
  "+=": [{ kind: "assignment", to: ["-=", "="], when: { ...COUNTED, longer: 1 } }],
  "-=": [{ kind: "assignment", to: ["+="], when: COUNTED }],
  "*=": [{ kind: "assignment", to: ["+=", "/="], when: COUNTED }],
  "/=": [{ kind: "assignment", to: ["*="], when: COUNTED }],
  "++": [{ kind: "assignment", to: ["--"], when: { ...COUNTED, endless: 1.5 } }],
  "--": [{ kind: "assignment", to: ["++"], when: { ...COUNTED, endless: 1.5 } }],
};

/** Operators written for one another. */
export const swapOperators: Move = (source, clues) =>
  source.tokens.flatMap((token, index) => {
    if (token.kind !== "mark" || !Object.hasOwn(SWAPS, token.text) || isUnary(source, index)) return [];
    const isDefault = token.text === "||" && takesDefault(source, index);
    return (SWAPS[token.text] ?? []).flatMap(({ kind, to, when, base = 1 }) =>
      to
        .filter((text) => text !== "??" || isDefault)
        .map((text, rank): Repair => ({
          kind,
          path: source.path,
          edits: [{ start: token.start, end: token.end, text }],
          line: token.line,
          fit: rate(clues, when, base) * 0.85 ** rank,
          note: `${token.text} becomes ${text}`,
        })),
    );
  });

/** `value || other`, where a value is wanted rather than a condition. */
function takesDefault(source: Source, index: number): boolean {
  const before = tokenAt(source, chainAt(source, index - 1).first - 1).text;
  return ["=", "(", "return", ":", ",", "=>", "[", "+"].includes(before);
}

/** A sign rather than an operation. */
function isUnary(source: Source, index: number): boolean {
  const before = tokenAt(source, index - 1);
  if (!["+", "-"].includes(tokenAt(source, index).text)) return false;
  if (before.kind === "mark") return ![")", "]", "}"].includes(before.text);
  return before.kind === "word" && ["return", "case", "typeof"].includes(before.text);
}

/** A negation too many or too few, at conditions and at what is returned. */
export const turnConditions: Move = (source, clues) => [
  ...dropNegations(source, clues),
  ...negateConditions(source, clues),
];

const TURNED_FIT = { flag: 1.5, longer: 0.5, shorter: 0.5, nothing: 0.7, no_error: 1.2, unwanted_error: 0.7 };

function dropNegations(source: Source, clues: Clues): Repair[] {
  return source.tokens.flatMap((token, index) =>
    token.text === "!" && token.kind === "mark" && tokenAt(source, index + 1).text !== "!"
      ? [
          {
            kind: "logic",
            path: source.path,
            edits: [{ start: token.start, end: token.end, text: "" }],
            line: token.line,
            fit: rate(clues, TURNED_FIT),
            note: "a negation is dropped",
          } as const,
        ]
      : [],
  );
}

function negateConditions(source: Source, clues: Clues): Repair[] {
  return source.tokens.flatMap((token, index): Repair[] => {
    const open = index + 1;
    const close = source.partners[open] ?? -1;
    if (!["if", "while"].includes(token.text) || tokenAt(source, open).text !== "(" || close < open)
      return [];
    const inner = source.text.slice(tokenAt(source, open).end, tokenAt(source, close).start);
    if (inner.trimStart().startsWith("!")) return [];
    const text = /^[\w.$()[\]]+$/.test(inner) ? `!${inner}` : `!(${inner})`;
    const edit = { start: tokenAt(source, open).end, end: tokenAt(source, close).start, text };
    const fit = rate(clues, TURNED_FIT, 0.7);
    return [
      {
        kind: "logic",
        path: source.path,
        edits: [edit],
        line: token.line,
        fit,
        note: "a condition is turned",
      },
    ];
  });
}
