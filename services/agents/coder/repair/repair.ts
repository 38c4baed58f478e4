import type { Clues } from "./clues.ts";
import type { Source } from "./source.ts";

/** Kinds of repair, as the catalogue's files have them. */
export type RepairKind =
  | "comparison"
  | "arithmetic"
  | "logic"
  | "assignment"
  | "off_by_one"
  | "literal"
  | "default"
  | "name"
  | "await"
  | "guard"
  | "copy"
  | "conversion"
  | "method"
  | "argument"
  | "return";

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One small change of one file. */
export interface Repair {
  readonly kind: RepairKind;
  readonly path: string;
  /** From front to back, apart from each other. */
  readonly edits: readonly Edit[];
  /** Line of the first edit, from 1. */
  readonly line: number;
  /** How well it fits what the failure shows, wherever it is: about 1 where nothing speaks for or against it. */
  readonly fit: number;
  /** In a few words, for people. */
  readonly note: string;
}

/** Everything a kind of repair could change in a file. Pure; the order does not matter. */
export type Move = (source: Source, clues: Clues) => Repair[];

export function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((sum, { start, end, text: put }) => sum.slice(0, start) + put + sum.slice(end), text);
}
