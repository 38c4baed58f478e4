import { REASONING_MARK } from "./shells/dialects.ts";

/** Characters examined on each side of a mark. */
const LOOK_CHARS_MAX = 80;

/**
 * Removes reasoning: `<think>…</think>`, `[THINK]…[/THINK]`. An unclosed block extends to the end, an unopened one
 * from the start. Marks in the middle of a line are text, because a string may contain them.
 */
export function withoutReasoning(text: string): string {
  const kept: string[] = [];
  let from = 0;
  let depth = 0;
  for (const mark of text.matchAll(REASONING_MARK)) {
    const [whole] = mark;
    const next = mark.index + whole.length;
    const ends = /^(?:.\/|<\|end)/i.test(whole);
    if (depth === 0 && !(ends ? standsBefore(text, next) : standsAfter(text, mark.index))) continue;
    if (depth === 0 && ends) kept.length = 0;
    if (depth === 0 && !ends) kept.push(text.slice(from, mark.index));
    depth = ends ? Math.max(0, depth - 1) : depth + 1;
    from = next;
  }
  if (from === 0) return text;
  return depth > 0 ? kept.join(" ") : [...kept, text.slice(from)].join(" ");
}

/** Returns true when a line, an element or the text begins at `at`. */
function standsAfter(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - LOOK_CHARS_MAX), at);
  return /(?:^|[\n>\]])\s*$/.test(before);
}

/** Returns true when a line or a value follows at `at`. */
function standsBefore(text: string, at: number): boolean {
  return /^[^\S\n]*(?:$|[\n{[`<])/.test(text.slice(at, at + LOOK_CHARS_MAX));
}
