import { jsonValueOf } from "#shared/schema";
import type { RefusalCode } from "../first-aid-result.ts";
import type { Bounds } from "../bounds.ts";
import { blanksEnd, keyEnd, opensString } from "./lookahead.ts";
import { readMembers } from "./read-object.ts";
import { readValue } from "./read-value.ts";
import { ReadRefusal, noteLeftOutWithMarks, noteStep, peek, priced, skipBlanks } from "./reader.ts";
import type { Doubt, Reader, SyntaxStep, Turn } from "./reader.ts";
import type { Entry, Tree } from "./tree.ts";

/** Reads the whole text as one value. */
export function readWhole(text: string, bounds: Bounds): Attempt {
  if (text.trimStart().startsWith("```")) return { code: "no_json" };
  const escaped = ESCAPED.test(text) ? readEscaped(text, bounds) : undefined;
  return escaped ?? readAll(text, bounds);
}

/** A value whose quotes are all escaped. */
const ESCAPED = /^\s*[[{](?:\s|\\+[nrt])*\\+"/;
const ESCAPED_TIMES_MAX = 3;

/** Reads a JSON string's content without its quotes: `{\"a\": 1}`. */
function readEscaped(text: string, bounds: Bounds, times = 1): Attempt | undefined {
  const plain = jsonValueOf(`"${text.trim().replaceAll("\n", "\\n").replaceAll("\r", "\\r")}"`);
  if (typeof plain !== "string") return undefined;
  const again =
    times < ESCAPED_TIMES_MAX && ESCAPED.test(plain) ? readEscaped(plain, bounds, times + 1) : undefined;
  const attempt = again ?? readAll(plain, bounds);
  if (attempt.span === undefined) return undefined;
  return { span: { ...attempt.span, steps: [...attempt.span.steps, { step: "escaped_json", cost: 2 }] } };
}

/** Reads a text that holds nothing but a value. */
export function readAll(text: string, bounds: Bounds): Attempt {
  return readSpan(text, { start: 0, end: text.length, fenced: false, all: true }, bounds);
}

/** Reads a value at the start of a range. Throws at a limit, which ends the whole call. */
export function readSpan(text: string, stretch: Stretch, bounds: Bounds): Attempt {
  const first = readOnce(text, { stretch, bounds, turns: new Map() });
  return first.doubts.length === 0
    ? first.attempt
    : searchReadings(first, (turns) => readOnce(text, { stretch, bounds, turns }));
}

function readOnce(
  text: string,
  { stretch, bounds, turns }: { stretch: Stretch; bounds: Bounds; turns: ReadonlyMap<number, Turn> },
): Tried {
  const reader: Reader = {
    text,
    at: stretch.start,
    end: stretch.end,
    open: [],
    steps: [],
    work: bounds.work,
    cut: bounds.cut,
    turns,
    doubts: [],
    separator: undefined,
    isTorn: false,
    braceless: false,
    readValue,
  };
  const tried = (attempt: Attempt): Tried => ({ attempt, turns, doubts: reader.doubts });
  try {
    const tree = readRoot(reader, stretch.all);
    if (stretch.all && reader.at < reader.end) return tried({ code: "no_json" });
    noteLeftOutWithMarks(reader, stretch.start);
    if (mayBeIndented(reader, stretch.start)) return tried({ code: "ambiguous" });
    const { start, fenced } = stretch;
    return tried({ span: { tree, steps: reader.steps, start, end: reader.at, fenced } });
  } catch (error) {
    if (error instanceof ReadRefusal && error.code !== "work_limit") return tried({ code: error.code });
    throw error;
  }
}

/** Lines' indentation may be the text's or not: YAML joins lines, and a value indented as a whole indents its texts. */
function mayBeIndented({ text, steps }: Reader, start: number): boolean {
  const isIn = (step: string): boolean => steps.some((one) => one.step === step);
  return isIn("lines_indented") && (isIn("unquoted_text") || /\n[ \t]+$/.test(text.slice(0, start)));
}

function readRoot(reader: Reader, all: boolean): Tree {
  skipBlanks(reader);
  if (all && opensString(peek(reader)) && keyEnd(reader, reader.at) !== -1) return readBraceless(reader);
  const start = peek(reader);
  const isContainer =
    start === "{" ||
    start === "[" ||
    start === "(" ||
    /^[\w.]+\s*\(/.test(reader.text.slice(reader.at, reader.at + 64));
  const isScalar =
    all &&
    (opensString(start) ||
      /^(?:-?\d[\d.eE+-]*|true|false|null|True|False|None)\s*$/.test(
        reader.text.slice(reader.at, reader.end),
      ));
  if (!isContainer && !isScalar) throw ReadRefusal.of("no_json");
  const tree = readValue(reader, "top");
  return all ? withoutRemains(reader, tree) : tree;
}

/** Reads `"a": 1, "b": 2`, without braces. */
function readBraceless(reader: Reader): Tree {
  noteStep(reader, "missing_brace", 3);
  reader.braceless = true;
  reader.open.push("}");
  const entries = readMembers(reader);
  reader.open.pop();
  return withoutRemains(reader, { kind: "object", entries });
}

/** Handles what follows a complete value: members of an object closed too early, and extra closers. */
function withoutRemains(reader: Reader, tree: Tree): Tree {
  const entries: Entry[] = tree.kind === "object" ? [...tree.entries] : [];
  for (;;) {
    skipBlanks(reader);
    const comma = peek(reader) === ",";
    if (tree.kind === "object" && comma && keyEnd(reader, blanksEnd(reader, reader.at + 1)) !== -1) {
      refuseTorn(reader);
      noteStep(reader, "closed_early", 3);
      reader.at += 1;
      reader.open.push("}");
      entries.push(...readMembers(reader));
      reader.open.pop();
    } else if (reader.at < reader.end && (peek(reader) === "}" || peek(reader) === "]")) {
      refuseTorn(reader);
      noteStep(reader, "extra_closer", 2);
      reader.at += 1;
    } else if (
      peek(reader) === ";" ||
      (comma && reader.text.slice(reader.at + 1, reader.end).trim() === "")
    ) {
      noteStep(reader, "trailing_mark", 1);
      reader.at += 1;
    } else return tree.kind === "object" ? { kind: "object", entries } : tree;
  }
}

/** Without a contract nothing tells whether a bracket of another sort closed too early, or stood where none belongs. */
function refuseTorn(reader: Reader): void {
  if (reader.isTorn && reader.cut === "keep") throw ReadRefusal.of("ambiguous");
}

/** One reading of a range, with its given and its doubtful decisions. */
interface Tried {
  readonly attempt: Attempt;
  readonly turns: ReadonlyMap<number, Turn>;
  readonly doubts: readonly Doubt[];
}

const READINGS_MAX = 12;
/** Maximum number of decisions in which a reading differs from the default. */
const TURNS_MAX = 2;

/** Tries the alternatives at doubtful positions, one at a time, then in pairs; the contract decides among them. */
function searchReadings(first: Tried, read: (turns: ReadonlyMap<number, Turn>) => Tried): Attempt {
  if (isPlausible(first)) return first.attempt;
  const tried: Tried[] = [first];
  for (let at = 0; at < tried.length && tried.length < READINGS_MAX; at += 1) {
    const from = tried[at];
    if (from === undefined || from.turns.size >= TURNS_MAX) continue;
    const last = Math.max(-1, ...from.turns.keys());
    for (const { at: offset, turn } of from.doubts)
      if (offset > last && tried.length < READINGS_MAX)
        tried.push(read(new Map([...from.turns, [offset, turn]])));
  }
  const spans = tried
    .flatMap(({ attempt }) => attempt.span ?? [])
    .toSorted((a, b) => priced(a.steps).cost - priced(b.steps).cost);
  const [best, ...others] = spans;
  return best === undefined ? first.attempt : { span: { ...best, others } satisfies Span };
}

/** Repairs after which a string may have ended elsewhere. */
const IN_DOUBT: ReadonlySet<string> = new Set([
  "structure_as_text",
  "missing_end_quote",
  "stray_quote",
  "raw_newline",
  "missing_closer",
]);

/** A quotation inside a text is the only fault, so no other reading is cheaper. */
function isPlausible({ attempt }: Tried): boolean {
  return attempt.span?.steps.every(({ step }) => !IN_DOUBT.has(step)) === true;
}

/** A value within a text, with its offsets. */
export interface Span {
  readonly tree: Tree;
  readonly steps: readonly SyntaxStep[];
  readonly start: number;
  readonly end: number;
  readonly fenced: boolean;
  /** Other readings of the same range. */
  readonly others?: readonly Span[];
}

export type Attempt =
  | { readonly span: Span; readonly code?: undefined }
  | { readonly span?: undefined; readonly code: RefusalCode };

export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly fenced: boolean;
  /** True when the range must contain nothing but the value. */
  readonly all: boolean;
}
