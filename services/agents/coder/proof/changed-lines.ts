import { diffLines } from "diff";
import { isSource } from "../checkout/project-path.ts";

/** A line that a diff writes. */
export interface ChangedLine {
  readonly path: string;
  /** In the new file, from 1. */
  readonly line: number;
  readonly text: string;
}

/** Returns the lines of code that are new in a file; lines without any word or operator are left out. */
export function listChangedLines(path: string, before: string, after: string): ChangedLine[] {
  if (!isSource(path)) return [];
  const changed: ChangedLine[] = [];
  let line = 1;
  for (const { value, added, removed, count } of diffLines(before, after)) {
    if (removed) continue;
    if (added) {
      const texts = value.replace(/\n$/, "").split("\n");
      changed.push(...texts.map((text, index) => ({ path, line: line + index, text })));
    }
    line += count;
  }
  return changed.filter(({ text }) => /[\w<>=+\-*/!]/.test(text) && !isComment(text));
}

function isComment(text: string): boolean {
  return /^\s*(?:\/\/|\/?\*)/.test(text);
}
