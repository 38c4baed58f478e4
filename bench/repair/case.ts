import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { z } from "zod";
import type { JsonSchema } from "#shared/json";
import type { JsonValue } from "#shared/schema";

/** Parts of the corpus by kind of damage and by contract, never by seed. Only `development` may be looked at. */
export const SPLITS = ["development", "held_out_kinds", "held_out_contracts", "held_out_both"] as const;

export type Split = (typeof SPLITS)[number];

/** A damaged text, the schema it should satisfy, and the one right answer. */
export interface Case {
  /** Unique. The hash of an own case's id decides whether it is held out. */
  readonly id: string;
  /** Class of damage; of the corpus the source of the first damage. */
  readonly class: string;
  readonly input: string;
  /** Undefined for cases that test syntax repair alone. */
  readonly schema: JsonSchema | undefined;
  /** The right value, or the reason why no value can be derived. */
  readonly right: { readonly value: JsonValue } | { readonly refusal: string };
}

/** A damaged text of one split. */
export interface CorpusCase extends Case {
  readonly split: Split;
  /** One kind of damage, or two. */
  readonly kinds: readonly string[];
}

const written = z.object({
  id: z.string(),
  class: z.string(),
  input: z.string(),
  schema: z.int().optional(),
});
const right = z.union([z.object({ value: z.json() }), z.object({ refusal: z.string() })]);
const ownLine = z.intersection(written, right);
const corpusLine = z.intersection(
  written.extend({ split: z.enum(SPLITS), kinds: z.array(z.string()) }),
  right,
);
const schemasLine = z.array(z.record(z.string(), z.unknown()));

/** Reads the 6,648 damaged answers of all splits. */
export function corpusCases(): CorpusCase[] {
  const { schemas, lines } = readLines("corpus");
  return lines.map((line): CorpusCase => {
    const { id, class: source, input, schema, split, kinds, ...rest } = corpusLine.parse(line);
    return { id, class: source, input, split, kinds, ...settled(rest, schema, schemas) };
  });
}

/** Reads the 2,338 own cases: written by hand, and good answers that were spoilt. */
export function ownCases(): Case[] {
  const { schemas, lines } = readLines("own");
  return lines.map((line): Case => {
    const { id, class: group, input, schema, ...rest } = ownLine.parse(line);
    return { id, class: group, input, ...settled(rest, schema, schemas) };
  });
}

/** Holds out a third of the own cases by a hash of the id: they are never printed one by one, nor used for tuning. */
export function isHeldOut(one: Case): boolean {
  return createHash("sha256").update(one.id).digest().readUInt32BE(0) % 3 === 0;
}

function settled(
  answer: z.output<typeof right>,
  schema: number | undefined,
  schemas: readonly JsonSchema[],
): Pick<Case, "schema" | "right"> {
  return {
    schema: schema === undefined ? undefined : schemas[schema],
    right: "value" in answer ? { value: answer.value } : { refusal: answer.refusal },
  };
}

/** Reads a file of `data/`: the first line lists the schemas, each other line is a case. */
function readLines(name: string): { schemas: readonly JsonSchema[]; lines: readonly unknown[] } {
  const packed = readFileSync(new URL(`data/${name}.jsonl.gz`, import.meta.url));
  const [first, ...lines] = gunzipSync(packed)
    .toString()
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  return { schemas: schemasLine.parse(first), lines };
}
