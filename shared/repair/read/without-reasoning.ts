const NAMES = "think|thinking|thoughts?|reasoning|scratchpad|reflection|analysis";
const MARK = new RegExp(`<(/?)(?:${NAMES})>|\\[(/?)THINK\\]`, "gi");
/** How far around a mark is looked. */
const LOOK_CHARS_MAX = 80;

/**
 * A text without what its writer marked as thinking: `<think>…</think>`, `[THINK]…[/THINK]`. A thought that
 * was never closed reaches to the end; one that was never opened began with the text. Marks in the middle of
 * a line are text: a string may speak of them.
 */
export function withoutReasoning(text: string): string {
  const kept: string[] = [];
  let from = 0;
  let depth = 0;
  for (const mark of text.matchAll(MARK)) {
    const [whole, slash, bracketSlash] = mark;
    const next = mark.index + whole.length;
    const ends = slash === "/" || bracketSlash === "/";
    if (depth === 0 && !(ends ? standsBefore(text, next) : standsAfter(text, mark.index))) continue;
    if (depth === 0 && ends) kept.length = 0;
    if (depth === 0 && !ends) kept.push(text.slice(from, mark.index));
    depth = ends ? Math.max(0, depth - 1) : depth + 1;
    from = next;
  }
  if (from === 0) return text;
  return depth > 0 ? kept.join(" ") : [...kept, text.slice(from)].join(" ");
}

/** Whether a line, an element or the text begins at `at`. */
function standsAfter(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - LOOK_CHARS_MAX), at);
  return /(?:^|[\n>\]])\s*$/.test(before);
}

/** Whether a line or a value follows at `at`. */
function standsBefore(text: string, at: number): boolean {
  return /^[^\S\n]*(?:$|[\n{[`<])/.test(text.slice(at, at + LOOK_CHARS_MAX));
}
