import type { RefusalCode } from "../first-aid-result.ts";
import type { Tree } from "./tree.ts";

/**
 * Stops the reading of one candidate, or of all where a bound was reached. Never leaves this room.
 *
 * There is one instance a code: hostile text makes thousands of attempts fail, and a stack for each would cost more
 * than the attempts.
 */
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

/** The steps that all readings and alignments of one call share. */
export interface Work {
  left: number;
}

export function spend(work: Work, steps: number): void {
  work.left -= steps;
  if (work.left < 0) throw ReadRefusal.of("work_limit");
}

/** Steps after which repeated ones are no longer noted. */
const STEPS_MAX = 1000;

export interface SyntaxStep {
  readonly step: string;
  readonly cost: number;
}

/** What a quotation mark inside a damaged string may be: the string's end, or a character of its text. */
export type Turn = "end" | "text";

/** A place where a reading might have gone on otherwise. */
export interface Crossroad {
  readonly at: number;
  /** The way that was not taken. */
  readonly turn: Turn;
}

/** Doubtful decisions that one reading remembers; damage beyond them is read in one way only. */
const CROSSROADS_MAX = 8;

/** Remembers that a reading might have gone on otherwise at a place. */
export function doubted(reader: Reader, crossroad: Crossroad): void {
  if (reader.crossroads.length < CROSSROADS_MAX) reader.crossroads.push(crossroad);
}

/** The sum of the steps' costs, each kind once: fifty single quotes are no more doubtful than two. */
export function costOfSteps(steps: readonly SyntaxStep[]): number {
  const dearest = new Map<string, number>();
  for (const { step, cost } of steps) dearest.set(step, Math.max(cost, dearest.get(step) ?? 0));
  return [...dearest.values()].reduce((sum, cost) => sum + cost, 0);
}

/** Where the reader stands: what may follow a string differs by place. */
export type Place = "key" | "member" | "item" | "top";

/**
 * The state of one tolerant reading: a text, a place in it, the containers that are open, and the liberties
 * taken.
 */
export interface Reader {
  readonly text: string;
  at: number;
  /** First character that is not read. */
  readonly end: number;
  /** Closers of the containers that are open, innermost last. */
  readonly open: ("}" | "]" | ")")[];
  readonly steps: SyntaxStep[];
  readonly work: Work;
  readonly depthMax: number;
  readonly cut: "refuse" | "keep";
  /** The last character before the end that is no blank, once it was asked for. */
  lastMark?: string;
  /** Triple marks that were looked for to the end in vain, by place. */
  readonly lacking: Set<string>;
  /** Decisions that this reading is to take otherwise than the reader would, by place. */
  readonly turns: ReadonlyMap<number, Turn>;
  /** Decisions in doubt that this reading took, each with what else it might have been. */
  readonly crossroads: Crossroad[];
  /** The outermost braces are missing, so that the text's end closes them. */
  braceless: boolean;
  /**
   * Reads a value of any kind; held here so that containers can read what they hold without importing their
   * importer.
   */
  readonly readValue: (reader: Reader, place: Place) => Tree;
}

export function took(reader: Reader, step: string, cost: number): void {
  // A million slips of one kind say no more than a thousand.
  if (reader.steps.length > STEPS_MAX && reader.steps.at(-1)?.step === step) return;
  reader.steps.push({ step, cost });
}

/** Notes that the text is incomplete, or refuses where that may not be. */
export function foundCut(reader: Reader, step: string): void {
  if (reader.cut === "refuse") throw ReadRefusal.of("cut");
  took(reader, step, 4);
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
  return code === 0x7f ? false : /[\s\u200B]/.test(String.fromCharCode(code));
}

const COMMENT_ENDS: readonly (readonly [start: string, end: string])[] = [
  ["//", "\n"],
  ["/*", "*/"],
  ["#", "\n"],
];

/** What a comment takes besides its characters, in steps. */
const COMMENT_WORK = 8;

/** A comment that stands for items nobody wrote: `// ... more items`, `# rest omitted`. */
const LEFT_OUT =
  /^\W*(?:\.{3}|…)|\b(?:omitted|truncated|left out|and so on|etc)\b|\b(?:more|other|remaining|further|rest of(?: the)?) (?:items?|entries|rows?|lines?|objects?|records?|results?|fields?)\b/i;

/** Moves past blanks and comments. */
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
  spend(reader.work, next - reader.at + COMMENT_WORK);
  const said = reader.text.slice(reader.at, Math.min(next, reader.at + 200));
  reader.at = next;
  if (said.length > 4 && LEFT_OUT.test(said)) foundCut(reader, "ellipsis");
  took(reader, "comment", 1);
  return true;
}
