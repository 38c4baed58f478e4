import type { JsonSchema } from "#shared/contract";
import { asSchema, has, isObject } from "#shared/schema";
import { namesOf } from "./align/declared-names.ts";
import { folded } from "./align/match-words.ts";
import type { Treated } from "./choose.ts";
import type { Reading } from "./read/collect-readings.ts";
import { withoutForms } from "./read/text-forms.ts";
import { withoutReasoning } from "./read/without-reasoning.ts";

/**
 * Returns true when the text outside of all values has data for the contract: a member as JSON writes it whose name the
 * contract declares anywhere, or a line that gives a property which a fitting value lacks (`id: 3` above `{"k": 1}`).
 */
export function leavesOut(
  input: string,
  { schema, treated }: { schema: JsonSchema; treated: readonly Treated[] },
): boolean {
  const spans = treated.map(({ reading }) => reading);
  if (!spans.every(({ kind, start }) => kind === "part" && start !== undefined)) return false;
  const outside = outsideOf(withoutForms(withoutReasoning(input)).text, spans);
  const namesIn = (pattern: RegExp): Set<string> =>
    new Set(outside.flatMap((text) => [...text.matchAll(pattern)].map(([, name = ""]) => folded(name))));
  const [stated, members] = [namesIn(NAMED_VALUE), namesIn(JSON_MEMBER)];
  const isLacking = (property: string): boolean =>
    treated.some(
      ({ alignment }) => alignment.ok && isObject(alignment.value) && !has(alignment.value, property),
    );
  const own = Object.keys(asSchema(schema["properties"]) ?? {});
  return (
    own.some((property) => stated.has(folded(property)) && isLacking(property)) ||
    (members.size > 1 && [...namesOf(schema)].filter((name) => members.has(name)).length > 1)
  );
}

const NAMED_VALUE =
  /(?:^|[\n,;])[ \t]*(?:[-*][ \t]+)?["'*_]{0,3}([\p{L}_][\p{L}\p{N}_ -]{0,60}?)["'*_]{0,3}[ \t]*[:=](?!\/\/)["'*_]{0,3}[ \t]*\S/gu;

/** `"name":` and `\"name\":`. */
const JSON_MEMBER = /["']([^"'\\\n:]{1,60})\\*["']\s{0,9}:/g;

/** The text outside of values. */
function outsideOf(text: string, spans: readonly Reading[]): string[] {
  const sorted = spans
    .flatMap(({ start, end }) => (start === undefined || end === undefined ? [] : [{ start, end }]))
    .toSorted((a, b) => a.start - b.start);
  const texts: string[] = [];
  let from = 0;
  for (const { start, end } of sorted) {
    if (start > from) texts.push(text.slice(from, start));
    from = Math.max(from, end);
  }
  return [...texts, text.slice(from)];
}
