import { handCases } from "./case.ts";
import type { Case } from "./case.ts";
import { makeCases } from "./damaged/make-cases.ts";

/** Returns the whole corpus: the hand-written cases, and those that the seed makes of every contract. */
export function allCases(seed: number): Case[] {
  return [...handCases(), ...makeCases(seed)];
}
