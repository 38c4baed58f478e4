import type { Span } from "./sensitive-kinds.ts";

const LOCAL = /[\p{L}\p{N}._%+'-]/u;
const DOMAIN = /[\p{L}\p{N}.-]/u;
const LOCAL_CHARS_MAX = 64;
const DOMAIN_CHARS_MAX = 253;
/** Labels of letters, digits and hyphens; the last of letters alone. */
const DOMAIN_FORM = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})\.){1,10}\p{L}{2,24}/u;

/** Finds e-mail addresses from their `@` outwards, within bounds. Linear. */
export function findEmails(text: string): Span[] {
  const found: Span[] = [];
  for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
    const start = Math.max(startOfLocal(text, at), found.at(-1)?.end ?? 0);
    const domain = DOMAIN_FORM.exec(textOfDomain(text, at + 1))?.[0];
    if (start < at && domain !== undefined) found.push({ start, end: at + 1 + domain.length });
  }
  return found;
}

function startOfLocal(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < LOCAL_CHARS_MAX && LOCAL.test(text.charAt(start - 1))) start -= 1;
  return start;
}

function textOfDomain(text: string, from: number): string {
  let end = from;
  while (end < text.length && end - from < DOMAIN_CHARS_MAX && DOMAIN.test(text.charAt(end))) end += 1;
  return text.slice(from, end);
}
