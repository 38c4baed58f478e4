import { readFileSync } from "node:fs";
import { z } from "zod";
import { corpusCases, ownCases } from "../case.ts";
import type { Case } from "../case.ts";
import { SCHEMAS } from "./schemas.ts";
import type { Draw } from "../seeded.ts";

/** Marks and words that random damaged texts are made of. */
export const PIECES = z
  .array(z.string())
  .parse(JSON.parse(readFileSync(new URL("../samples/pieces.json", import.meta.url), "utf8")));

export type FuzzCase = Pick<Case, "input" | "schema">;

/** Damaged answers that texts are made from. */
export interface Ground {
  readonly own: readonly FuzzCase[];
  readonly corpus: readonly FuzzCase[];
}

/** Reads the damaged answers that a run starts from. */
export function readGround(): Ground {
  return { own: ownCases(), corpus: corpusCases() };
}

const SCHEMA_NAMES = Object.keys(SCHEMAS);
/** Length of the longest text, about. */
const CHARS_MAX = 20_000;

/** Draws a text with the contract to read it by. */
export function makeText(draw: Draw, ground: Ground): FuzzCase {
  const kind = draw.next();
  const one = kind < 0.4 ? draw.pick(ground.own) : draw.pick(ground.corpus);
  return { input: inputOf(draw, { ground, one, kind }), schema: schemaFor(draw, one) };
}

function schemaFor(draw: Draw, one: FuzzCase): FuzzCase["schema"] {
  const kind = draw.next();
  if (kind < 0.15) return undefined;
  return kind < 0.25 ? SCHEMAS[draw.pick(SCHEMA_NAMES)] : one.schema;
}

function inputOf(
  draw: Draw,
  { ground, one, kind }: { readonly ground: Ground; readonly one: FuzzCase; readonly kind: number },
): string {
  if (kind < 0.15) return pieces(draw, 40);
  if (kind < 0.92) return damaged(draw, ground, one.input);
  if (kind < 0.98) return repeated(draw, one.input);
  return mixed(draw, ground);
}

function pieces(draw: Draw, most: number): string {
  return Array.from({ length: draw.below(most) }, () => draw.pick(PIECES)).join("");
}

function damaged(draw: Draw, { own, corpus }: Ground, input: string): string {
  let text = input;
  for (let edits = draw.below(5); edits > 0; edits -= 1)
    text = edited(draw, text, draw.pick(draw.next() < 0.5 ? own : corpus).input);
  return text;
}

function edited(draw: Draw, text: string, other: string): string {
  const at = draw.below(text.length + 1);
  const kind = draw.below(8);
  if (kind === 0) return text.slice(0, at);
  if (kind === 1) return text.slice(0, at) + text.slice(at + 1 + draw.below(6));
  if (kind === 2) return text.slice(0, at) + draw.pick(PIECES) + text.slice(at);
  if (kind === 3) return text.slice(0, at) + String.fromCharCode(draw.below(0x250)) + text.slice(at + 1);
  if (kind === 4)
    return text.slice(0, at) + other.slice(draw.below(other.length + 1)).slice(0, 200) + text.slice(at);
  if (kind === 5) return pieces(draw, 6) + text + pieces(draw, 6);
  if (kind === 6) return swapped(draw, text, at);
  return text.slice(0, at) + text.slice(Math.max(0, at - 20));
}

/** Puts another mark in the place of all its like from `at` on. */
function swapped(draw: Draw, text: string, at: number): string {
  const mark = draw.pick(['"', "'", "{", "}", "[", "]", ":", ",", "\n", " ", "\\"]);
  return text.slice(0, at) + text.slice(at).replaceAll(mark, draw.pick(PIECES));
}

/** A unit again and again, in a text or alone; lengths of all magnitudes. */
function repeated(draw: Draw, around: string): string {
  const unit = Array.from({ length: 1 + draw.below(4) }, () => draw.pick(PIECES)).join("");
  const chars = 10 ** (1 + 3 * draw.next());
  const run = unit.repeat(Math.max(1, Math.ceil(chars / Math.max(1, unit.length))));
  const at = draw.below(around.length + 1);
  return draw.next() < 0.5
    ? draw.pick(PIECES) + run + draw.pick(PIECES)
    : around.slice(0, at) + run + around.slice(at);
}

/** Several texts one behind another. */
function mixed(draw: Draw, ground: Ground): string {
  const most = draw.below(CHARS_MAX);
  let text = "";
  while (text.length < most) text += damaged(draw, ground, draw.pick(ground.corpus).input) + pieces(draw, 4);
  return text;
}
