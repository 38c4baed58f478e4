import { canonical } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { spend } from "../read/reader.ts";
import type { Work } from "../read/reader.ts";

/** Deep equality, members in any order. Identical objects are not compared. */
export function isSameValue(one: JsonValue, other: JsonValue, work: Work): boolean {
  if (one === other) return true;
  const [text, rival] = [canonical(one), canonical(other)];
  spend(work, text.length + rival.length);
  return text === rival;
}
