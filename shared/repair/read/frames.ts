/** Longer texts keep their frames: a model's answer is shorter, and the patterns below are not counted as work. */
const CHARS_MAX = 60_000;

/** The only fenced block; its end may be missing. */
function insideFence(text: string): string | undefined {
  const open = /(?:^|\n)[^\S\n]*(```+|~{3,}(?!~))[^\n`]*\n/.exec(text);
  if (open === null) return undefined;
  const start = open.index + open[0].length;
  const mark = open[1] ?? "```";
  const close = text.indexOf(mark, start);
  if (close === -1) return text.slice(start);
  return text.includes(mark, close + mark.length) ? undefined : text.slice(start, close);
}

/** Below a first paragraph that is words, or a first line that ends like a sentence or with a colon besides. */
function belowLeadIn(text: string): string | undefined {
  const found = /^([^\n]{1,300}(?:[.:!]\s*|\s*\n\s*))\n([\s\S]+)$/.exec(text.trimStart());
  if (found === null || !isWords(found[1] ?? "") || DENIES.test(found[1] ?? "")) return undefined;
  return found[2];
}

/** Returns what is above a last paragraph that is words. */
export function aboveRemarks(text: string): string | undefined {
  const found = /^([\s\S]+?)\n[^\S\n]*\n([^\n]{1,400}[.!?:)])\s*$/.exec(text);
  if (found === null || !isWords(found[2] ?? "") || DENIES.test(found[2] ?? "")) return undefined;
  return found[1];
}

/** Returns a text, and what is left of it without its fence, its lead-in and its remarks; none for a long text. */
export function coresOf(text: string): readonly string[] {
  if (text.length > CHARS_MAX) return [];
  return [insideFence, belowLeadIn, aboveRemarks].reduce<readonly string[]>(
    (texts, strip) => [...texts, ...texts.flatMap((one) => strip(one) ?? [])],
    [text],
  );
}

const DENIES =
  /\b(?:not|no|never|unable|cannot|sorry|instead|wrong|incorrect|example|draft|omitted|truncated|left out)\b|n['’]t\b/i;

/** A sentence: several words, no brackets, no name with a value. */
function isWords(line: string): boolean {
  return /\S\s+\S/.test(line) && !/[{}[\]<>|=]|"\s*:|^[\s\-*+]*[^\s:]{1,40}:\s+\S/.test(line);
}
