import { createHash } from "node:crypto";
import type { JsonSchema } from "#shared/contract";
import type { JsonValue } from "#shared/schema";

/** A damaged text, the schema it should satisfy, and the one right answer. */
export interface Case {
  /** `class/name`; unique. Its hash decides whether the case is held out. */
  readonly id: string;
  readonly class: string;
  readonly input: string;
  /** Undefined where only the syntax is to be mended. */
  readonly schema: JsonSchema | undefined;
  /** The right value, or why nobody could give one. */
  readonly right: { readonly value: JsonValue } | { readonly refusal: string };
}

interface HandWritten {
  readonly it: string;
  readonly input: string;
}

/** Cases written by hand: those with a `value` have one right answer, those with a `refusal` have none. */
export interface HandCases {
  readonly class: string;
  readonly schema?: JsonSchema;
  readonly cases: readonly (HandWritten & ({ readonly value: JsonValue } | { readonly refusal: string }))[];
}

export function toCases(group: HandCases): Case[] {
  return group.cases.map((one) => ({
    id: `${group.class}/${one.it}`,
    class: group.class,
    input: one.input,
    schema: group.schema,
    right: "value" in one ? { value: one.value } : { refusal: one.refusal },
  }));
}

/** A third of all cases, chosen by a hash of their ids: never printed one by one, never looked at while tuning. */
export function isHeldOut(one: Case): boolean {
  return createHash("sha256").update(one.id).digest().readUInt32BE(0) % 3 === 0;
}
