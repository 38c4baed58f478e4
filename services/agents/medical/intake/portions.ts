import type { Turn } from "../contract-fields.ts";

/** Portions that are read at most; the newest is always one of them. */
export const PORTIONS_MAX = 12;
/** Characters of one portion: some six thousand tokens. */
const PORTION_CHARACTERS_MAX = 24_000;
/** The assistant's questions are only needed to understand a short answer. */
const ASKED_CHARACTERS_MAX = 400;

/** Turns that a model is shown in one go. */
export interface Portion {
  /** The number of its first turn, from 1. */
  readonly first: number;
  readonly turns: Turn[];
}

/**
 * Returns a conversation in portions that a model is shown one after the other, oldest first, and the numbers of the
 * turns that are in none of them.
 */
export function portionsOf(turns: readonly Turn[]): {
  readonly portions: readonly Portion[];
  readonly unread: { readonly first: number; readonly last: number } | null;
} {
  const portions: Portion[] = [];
  let characters = Infinity;
  for (const [index, { role, text }] of turns.entries()) {
    const shown = role === "patient" ? text : text.slice(0, ASKED_CHARACTERS_MAX);
    if (characters + shown.length > PORTION_CHARACTERS_MAX) {
      portions.push({ first: index + 1, turns: [] });
      characters = 0;
    }
    portions.at(-1)?.turns.push({ role, text: shown });
    characters += shown.length;
  }
  const [skipped] = portions.slice(PORTIONS_MAX - 1);
  const last = portions.at(-1);
  if (portions.length <= PORTIONS_MAX || skipped === undefined || last === undefined)
    return { portions, unread: null };
  return {
    portions: [...portions.slice(0, PORTIONS_MAX - 1), last],
    unread: { first: skipped.first, last: last.first - 1 },
  };
}
