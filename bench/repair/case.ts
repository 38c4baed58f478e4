import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { z } from "zod";
import type { JsonSchema } from "#shared/json";
import type { JsonValue } from "#shared/schema";

/** A damaged text, the schema it should satisfy, and the one right answer. */
export interface Case {
  /** `class/name`; unique. Its hash decides whether the case is held out. */
  readonly id: string;
  readonly class: string;
  readonly input: string;
  /** Undefined for cases that test syntax repair alone. */
  readonly schema: JsonSchema | undefined;
  /** The right value, or the reason why no value can be derived. */
  readonly right: { readonly value: JsonValue } | { readonly refusal: string };
}

const written = { it: z.string(), input: z.string() };

/** Hand-written cases of one class of damage: each has either one right `value` or a `refusal`. */
const handWritten = z.array(
  z.strictObject({
    class: z.string(),
    schema: z.record(z.string(), z.unknown()).optional(),
    cases: z.array(
      z.union([
        z.strictObject({ ...written, value: z.json() }),
        z.strictObject({ ...written, refusal: z.string() }),
      ]),
    ),
  }),
);

/** Reads the hand-written cases from `samples/hand.json`. */
export function handCases(): Case[] {
  const text = readFileSync(new URL("samples/hand.json", import.meta.url), "utf8");
  return handWritten.parse(JSON.parse(text)).flatMap((group) =>
    group.cases.map(({ it, input, ...right }) => ({
      id: `${group.class}/${it}`,
      class: group.class,
      input,
      schema: group.schema,
      right,
    })),
  );
}

/** Holds out a third of all cases by a hash of the id: they are never printed one by one, nor used for tuning. */
export function isHeldOut(one: Case): boolean {
  return createHash("sha256").update(one.id).digest().readUInt32BE(0) % 3 === 0;
}
