import { toCases } from "./case.ts";
import type { Case } from "./case.ts";
import { makeCases } from "./damaged/make-cases.ts";
import { AROUND } from "./hand/around.ts";
import { CUT } from "./hand/cut.ts";
import { DATES, MOMENTS } from "./hand/dates.ts";
import { LOCKED, NAMES } from "./hand/names.ts";
import { BOOLEANS, ENUMS, INTEGERS, NUMBERS, TEXTS, UNITS } from "./hand/scalars.ts";
import { LISTS, MARKDOWN, YAML } from "./hand/shapes.ts";
import { STRINGS, SYNTAX } from "./hand/syntax.ts";
import { SCALAR_UNIONS, SPECIAL, UNIONS, XML, XML_UNASKED } from "./hand/types.ts";

const BY_HAND = [
  SYNTAX,
  STRINGS,
  AROUND,
  CUT,
  NUMBERS,
  INTEGERS,
  UNITS,
  BOOLEANS,
  ENUMS,
  TEXTS,
  DATES,
  MOMENTS,
  NAMES,
  LOCKED,
  LISTS,
  MARKDOWN,
  YAML,
  UNIONS,
  SCALAR_UNIONS,
  SPECIAL,
  XML,
  XML_UNASKED,
];

/** The whole corpus: what was written by hand, and what the seed makes of every contract. */
export function allCases(seed: number): Case[] {
  return [...BY_HAND.flatMap(toCases), ...makeCases(seed)];
}
