import type { Decision } from "./decision.ts";

/**
 * Returns true if two decisions come from two different people. Two API keys of one person count as one; a person
 * behind a login link is unknown, and never counts as another.
 */
export function isAnotherPerson(one: Decision, other: Decision): boolean {
  const [first, second] = [one.person ?? null, other.person ?? null];
  return first !== null && second !== null && first !== second;
}
