import type { NullTree } from "./added-nulls.ts";

/**
 * Cuts members whose value is null out of JSON text, and touches nothing else: numbers keep their digits and doubled
 * keys stay doubled, which parsing and writing again would not promise.
 *
 * @param text - Valid JSON.
 * @param nulls - Which members to cut, as `findAddedNulls` found them in the same text.
 */
export function cutMembers(text: string, nulls: NullTree): string {
  const start = skipSpace(text, 0);
  const { written, end } = rewrite(text, start, nulls);
  return text.slice(0, start) + written + text.slice(end);
}

interface Rewritten {
  readonly written: string;
  /** Index after the value. */
  readonly end: number;
}

function rewrite(text: string, start: number, nulls: NullTree): Rewritten {
  const isObject = text[start] === "{";
  const kept: string[] = [];
  let at = skipSpace(text, start + 1);
  for (let index = 0; text[at] !== "}" && text[at] !== "]"; index += 1) {
    const member = isObject ? readKey(text, at) : { key: String(index), valueAt: at };
    const inner = nulls.get(member.key);
    const isContainer = text[member.valueAt] === "{" || text[member.valueAt] === "[";
    const value =
      inner instanceof Map && isContainer
        ? rewrite(text, member.valueAt, inner)
        : { written: null, end: skipValue(text, member.valueAt) };
    const isCut = inner === true && text.startsWith("null", member.valueAt);
    if (!isCut)
      kept.push(text.slice(at, member.valueAt) + (value.written ?? text.slice(member.valueAt, value.end)));
    at = skipSpace(text, value.end);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return { written: `${text[start]}${kept.join(", ")}${text[at]}`, end: at + 1 };
}

function readKey(text: string, at: number): { readonly key: string; readonly valueAt: number } {
  const end = skipString(text, at);
  const colon = skipSpace(text, end);
  return { key: String(JSON.parse(text.slice(at, end))), valueAt: skipSpace(text, colon + 1) };
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && " \t\r\n".includes(text.charAt(at))) at += 1;
  return at;
}

function skipString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** Counts brackets instead of calling itself, so that no depth of nesting can exhaust the stack. */
function skipValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const character = text.charAt(at);
    if (character === '"') {
      at = skipString(text, at);
      continue;
    }
    if (character === "{" || character === "[") depth += 1;
    if (character === "}" || character === "]") depth -= 1;
    at += 1;
  } while (at < text.length && (depth > 0 || !",}] \t\r\n".includes(text.charAt(at))));
  return at;
}
