import type { Decision } from "./decision.ts";

/**
 * Whether two decisions are those of two people. Two keys of one person are one person; who came by a login link may be
 * anybody, and so is nobody else for certain.
 */
export function isAnotherPerson(one: Decision, other: Decision): boolean {
  const [first, second] = [one.person ?? null, other.person ?? null];
  return first !== null && second !== null && first !== second;
}
