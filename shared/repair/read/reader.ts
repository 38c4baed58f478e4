import { WORK } from "../bounds.ts";
import type { Work } from "../bounds.ts";
import type { Note, RefusalCode } from "../first-aid-result.ts";
import type { Tree } from "./tree.ts";

/** Stops one reading, or all of them at a limit. One instance a code, because stack traces would be costly. */
export class ReadRefusal extends Error {
  private static readonly known = new Map<RefusalCode, ReadRefusal>();
  readonly code: RefusalCode;

  private constructor(code: RefusalCode) {
    super(code);
    this.code = code;
  }

  static of(code: RefusalCode): ReadRefusal {
    const known = ReadRefusal.known.get(code) ?? new ReadRefusal(code);
    ReadRefusal.known.set(code, known);
    return known;
  }
}

export function spend(work: Work, steps: number): void {
  work.left -= steps;
  if (work.left < 0) throw ReadRefusal.of("work_limit");
}

/** Number of steps after which repetitions are not recorded. */
const STEPS_MAX = 1000;

export interface SyntaxStep {
  readonly step: string;
  readonly cost: number;
}

/** Two meanings of a quote inside a damaged string: the string's end, or text. */
export type Turn = "end" | "text";

/** A doubtful decision at which another reading may branch. */
export interface Doubt {
  readonly at: number;
  /** The alternative that was not taken. */
  readonly turn: Turn;
}

const DOUBTS_MAX = 8;

/** Records a doubtful decision. */
export function noteDoubt(reader: Reader, doubt: Doubt): void {
  if (reader.doubts.length < DOUBTS_MAX) reader.doubts.push(doubt);
}

/** The steps with what they cost, each kind once: fifty single quotes are no riskier than two. */
export function priced(steps: readonly SyntaxStep[]): { cost: number; notes: Note[] } {
  const dearest = new Map<string, number>();
  for (const { step, cost } of steps) dearest.set(step, Math.max(cost, dearest.get(step) ?? 0));
  const notes = [...dearest].map(([step, cost]) => ({ path: "", step, cost }));
  return { cost: notes.reduce((sum, note) => sum + note.cost, 0), notes };
}

/** Position of a value or key, which decides what may follow a string. */
export type Position = "key" | "member" | "item" | "top";

/** State of one tolerant reading: the text, the offset, the open containers, and the repairs so far. */
export interface Reader {
  readonly text: string;
  at: number;
  /** End offset, exclusive. */
  readonly end: number;
  /** Closers of the open containers, innermost last. */
  readonly open: ("}" | "]" | ")")[];
  readonly steps: SyntaxStep[];
  readonly work: Work;
  readonly cut: "refuse" | "keep";
  /** Cached last non-blank character. */
  lastMark?: string;
  /** Decisions that this reading takes differently, by offset. */
  readonly turns: ReadonlyMap<number, Turn>;
  /** Doubtful decisions of this reading with their alternatives. */
  readonly doubts: Doubt[];
  /** The last separator in the innermost container; undefined before its second value. */
  separator: "," | ";" | undefined;
  /** True when a bracket closed a container by guess, and more followed in it or around it. */
  isTorn: boolean;
  /** True when the outermost braces are missing, so that the end of the text closes them. */
  braceless: boolean;
  /** Reads any value. A field, because containers and values would otherwise import each other. */
  readonly readValue: (reader: Reader, position: Position) => Tree;
}

export function noteStep(reader: Reader, step: string, cost: number): void {
  // Bounds the list: repetitions of one step add nothing.
  if (reader.steps.length > STEPS_MAX && reader.steps.at(-1)?.step === step) return;
  reader.steps.push({ step, cost });
}

/** Records that the text is truncated. @throws {ReadRefusal} Truncation is not allowed. */
export function noteCut(reader: Reader, step: string): void {
  if (reader.cut === "refuse") throw ReadRefusal.of("cut");
  noteStep(reader, step, 4);
}

export function peek(reader: Reader, offset = 0): string {
  const at = reader.at + offset;
  return at < reader.end ? (reader.text[at] ?? "") : "";
}

export function isBlank(char: string): boolean {
  return char !== "" && isBlankCode(char.charCodeAt(0));
}

export function isBlankCode(code: number): boolean {
  if (code <= 0x7e) return code <= 0x20;
  return code === 0x7f ? false : /[\s\p{Cf}]/u.test(String.fromCharCode(code));
}

const COMMENT_ENDS: readonly (readonly [start: string, end: string])[] = [
  ["//", "\n"],
  ["/*", "*/"],
  ["#", "\n"],
];

/** A comment in place of omitted items: `// ... more items`, `# rest omitted`. */
const LEFT_OUT =
  /^\W*(?:\.{3}|…)|\b(?:omitted|truncated|left out|and so on|etc)\b|\b(?:more|other|remaining|further|rest of(?: the)?) (?:items?|entries|rows?|lines?|objects?|records?|results?|fields?)\b|(?:\band|\+)\s+(?:\d+|many|several|some|a few) (?:more|others?)\b/i;

/** A line in place of text that a program took out: `<output truncated>`, `... [812 characters omitted] ...`. */
const TAKEN_OUT =
  /^[ \t]*[<[({*.…-][^\n]{0,60}\b(?:truncated|omitted|elided|snip|snipped|abridged|left out)\b[^\n]{0,60}[>\])}*.…-][ \t]*$|[<[](?:[^\n<>[\]]{0,40}\s)?(?:truncated|omitted|elided|snipped)\b[^\n<>[\]]{0,40}[>\]]/im;

const ELLIPSIS = /\[(?:\.{3}|…)/;

/** As below, and for `[...]` within a line, which a sound text may hold. @throws {ReadRefusal} */
export function noteLeftOut(reader: Reader, text: string): void {
  if (ELLIPSIS.test(text)) noteCut(reader, "ellipsis");
  else noteTakenOut(reader, text);
}

const LACKING: ReadonlySet<string> = new Set(
  "missing_colon missing_comma missing_end_quote stray_quote structure_as_text".split(" "),
);

/** Records `[...]` in a value that lacks marks, which went with what was left out. @throws {ReadRefusal} */
export function noteLeftOutWithMarks(reader: Reader, from: number): void {
  if (reader.steps.some(({ step }) => LACKING.has(step)))
    noteLeftOut(reader, reader.text.slice(from, reader.at));
}

/** Records a line in a text that stands for what was taken out. @throws {ReadRefusal} Truncation is not allowed. */
export function noteTakenOut(reader: Reader, text: string): void {
  if (TAKEN_OUT.test(text)) noteCut(reader, "ellipsis");
}

/** Skips blanks and comments. */
export function skipBlanks(reader: Reader): void {
  for (;;) {
    const from = reader.at;
    let at = from;
    while (at < reader.end && isBlankCode(reader.text.charCodeAt(at))) at += 1;
    reader.at = at;
    spend(reader.work, at - from + 1);
    if (!skipComment(reader)) return;
  }
}

function skipComment(reader: Reader): boolean {
  const char = peek(reader);
  if (char !== "/" && char !== "#") return false;
  const found = COMMENT_ENDS.find(
    ([start]) => reader.text.startsWith(start, reader.at) && reader.at < reader.end,
  );
  if (found === undefined) return false;
  const [start, end] = found;
  const stop = reader.text.indexOf(end, reader.at + start.length);
  const next = stop === -1 || stop >= reader.end ? reader.end : stop + (end === "\n" ? 0 : end.length);
  spend(reader.work, next - reader.at + WORK.comment);
  const said = reader.text.slice(reader.at, Math.min(next, reader.at + 200));
  reader.at = next;
  if (said.length > 4 && LEFT_OUT.test(said)) noteCut(reader, "ellipsis");
  noteStep(reader, "comment", 1);
  return true;
}
