import type { PolicyRow } from "../contracts.ts";
import { AROUND, NOTATIONS, TRANSPORT } from "./forms.ts";
import { LEVELS, NAMES } from "./names.ts";
import { CHOICES, CUT, LEFT_BESIDE, LIMITS, MISSING, PROSE } from "./refusals.ts";
import { MARKS, SOUND, VALUES } from "./syntax.ts";
import { DATES, LISTS, NUMBERS, WORDS } from "./values.ts";

/** Texts that first aid reads or refuses, and why, by subject of the rule, in the order of the page. */
export const POLICY: Readonly<Record<string, readonly PolicyRow[]>> = {
  "Sound JSON": SOUND,
  "Marks that are missing, wrong or too many": MARKS,
  "Values as other languages write them": VALUES,
  "Text around the answer": AROUND,
  "What transports do to a text": TRANSPORT,
  "Other notations": NOTATIONS,
  Names: NAMES,
  "Levels and wrappers": LEVELS,
  "Numbers and units": NUMBERS,
  Dates: DATES,
  Words: WORDS,
  Lists: LISTS,
  "Several candidates": [...CHOICES, ...LEFT_BESIDE],
  "Missing values": MISSING,
  "Cut texts": CUT,
  "Apologies and other prose": PROSE,
  "Limits and names that are never let through": LIMITS,
};
