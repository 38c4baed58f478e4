import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { firstAid } from "#shared/repair";
import { validate } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { allCases } from "./all-cases.ts";
import type { Case } from "./case.ts";
import { Draw } from "./seeded.ts";

/** What a run of the fuzzer found. */
export interface FuzzReport {
  readonly inputs: number;
  readonly repaired: number;
  readonly refused: number;
  /** Inputs for which a law did not hold, at most 20, each with the law. */
  readonly broken: readonly { readonly law: string; readonly input: string }[];
}

/** Marks and words that random damaged texts are made of. */
export const PIECES = z
  .array(z.string())
  .parse(JSON.parse(readFileSync(new URL("samples/pieces.json", import.meta.url), "utf8")));

const BROKEN_MAX = 20;

/**
 * Throws random, mutated and spliced texts at first aid and holds it to its laws: it never throws, what it gives
 * satisfies the schema, is given again for its own text, and no prototype is touched. The same inputs for the same
 * seed.
 */
export function fuzz({ inputs, seed }: { readonly inputs: number; readonly seed: number }): FuzzReport {
  const draw = new Draw(seed);
  const cases = allCases(seed);
  const counts = { repaired: 0, refused: 0 };
  const broken: { law: string; input: string }[] = [];
  for (let made = 0; made < inputs && broken.length < BROKEN_MAX; made += 1) {
    const one = draw.pick(cases);
    const input = makeInput(draw, { one, other: draw.pick(cases) });
    const schema = draw.next() < 0.8 ? one.schema : undefined;
    const { law, repaired } = lawBroken(input, { ...one, schema });
    counts[repaired ? "repaired" : "refused"] += 1;
    if (law !== undefined) broken.push({ law, input });
  }
  return { inputs, ...counts, broken };
}

function makeInput(draw: Draw, { one, other }: { one: Case; other: Case }): string {
  if (draw.next() < 0.3) return Array.from({ length: draw.below(40) }, () => draw.pick(PIECES)).join("");
  let text = one.input;
  for (let edits = 1 + draw.below(4); edits > 0; edits -= 1)
    text = edited(text, { draw, other: other.input });
  return text;
}

function edited(text: string, { draw, other }: { draw: Draw; other: string }): string {
  const at = draw.below(text.length + 1);
  const kind = draw.below(6);
  if (kind === 0) return text.slice(0, at);
  if (kind === 1) return text.slice(0, at) + text.slice(at + 1 + draw.below(6));
  if (kind === 2) return text.slice(0, at) + draw.pick(PIECES) + text.slice(at);
  if (kind === 3) return text.slice(0, at) + String.fromCharCode(draw.below(0x250)) + text.slice(at + 1);
  if (kind === 4)
    return text.slice(0, at) + other.slice(draw.below(other.length + 1)).slice(0, 200) + text.slice(at);
  return text.slice(0, at) + text.slice(Math.max(0, at - 20));
}

function lawBroken(input: string, { schema }: Pick<Case, "schema">): { law?: string; repaired: boolean } {
  try {
    const result = firstAid(input, schema);
    if (Object.keys(Object.prototype).length > 0)
      return { law: "no prototype is touched", repaired: result.ok };
    if (!result.ok) return { repaired: false };
    return { ...lawOfValue(result.value, schema), repaired: true };
  } catch (error) {
    return { law: `never throws: ${error instanceof Error ? error.name : "something"}`, repaired: false };
  }
}

function lawOfValue(value: JsonValue, schema: Case["schema"]): { law?: string } {
  const text = JSON.stringify(value);
  if (/"__proto__":/.test(text)) return { law: "no prototype name comes back" };
  if (schema === undefined) return {};
  if (validate(value, schema).length > 0) return { law: "what it gives satisfies the schema" };
  const again = firstAid(text, schema);
  return again.ok && again.cost === 0 && isDeepStrictEqual(again.value, JSON.parse(text))
    ? {}
    : { law: "its own answer needs no first aid" };
}
