import type { Turn } from "../contract-fields.ts";

/** Portions that are read at most; the newest is always one of them. */
export const PORTIONS_MAX = 12;
/** Characters of one portion: some six thousand tokens. */
const PORTION_CHARACTERS_MAX = 24_000;
/** What was asked is only needed to understand a short answer. */
const ASKED_CHARACTERS_MAX = 400;

/** A conversation in portions that a model is shown one after the other, oldest first. */
export function portionsOf(turns: readonly Turn[]): Turn[][] {
  const portions: Turn[][] = [];
  let characters = Infinity;
  for (const { role, text } of turns) {
    const shown = role === "patient" ? text : text.slice(0, ASKED_CHARACTERS_MAX);
    if (characters + shown.length > PORTION_CHARACTERS_MAX) {
      portions.push([]);
      characters = 0;
    }
    portions.at(-1)?.push({ role, text: shown });
    characters += shown.length;
  }
  if (portions.length <= PORTIONS_MAX) return portions;
  return [...portions.slice(0, PORTIONS_MAX - 1), ...portions.slice(-1)];
}
