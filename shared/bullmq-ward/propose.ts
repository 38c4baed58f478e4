import type { Operation } from "rfc6902";
import { z } from "zod";
import { prove, unwrapText } from "#shared/proof";
import { onlyReading, Recipe, tryRecipe } from "#shared/recipes";
import { firstAid, parseTolerant } from "#shared/repair";
import { stepsOf } from "#shared/json";
import { isSameJson, jsonValueOf } from "#shared/schema";
import { editJson, textAt } from "#shared/schema/edit";
import type { JsonValue } from "#shared/schema";
import type { DataContract } from "./data-contract.ts";
import type { JobCase } from "./job-case.ts";

/** A repair that applies to other jobs with the same fault. Holds names and types, and no value of a job. */
export const WardRecipe = z.strictObject({
  id: z.string(),
  recipe: Recipe,
  by: z.string(),
  atMs: z.number(),
});

export type WardRecipe = z.infer<typeof WardRecipe>;

/** A repair of a job's data that is proved, or the reason why there is none. */
export type Proposal =
  | {
      readonly kind: "repair";
      /** The whole data as JSON text. */
      readonly data: string;
      /** RFC 6902 operations from the data's part under the contract to its repair. */
      readonly changes: readonly Operation[];
      /** `first_aid`, or the id of the recipe. */
      readonly procedure: string;
    }
  | { readonly kind: "none"; readonly reason: string };

const NUMBER_LOST = "A number whose digits JavaScript cannot hold would move.";

type Original = NonNullable<ReturnType<typeof originalOf>>;

/**
 * Proposes a repair of a job's data by rules or a recipe. Pure: no model, no guess; the proof's objections refuse it.
 */
export function proposeRepair(
  jobCase: JobCase,
  contract: DataContract | null,
  recipes: readonly WardRecipe[],
): Proposal {
  if (contract === null) return none("The queue has no contract to repair to.");
  if (jobCase.data === null) return none("Its data is missing, too large or no text.");
  const original = originalOf(jobCase.data, contract);
  if (original === null) return none(`There is no part at ${contract.at} that can be read.`);
  if (original.value !== undefined && contract.findFaults(original.value).length === 0)
    return none("Its data satisfies the contract: the error has another cause.");
  const byRules = byFirstAid(original, contract);
  return byRules.kind === "repair" ? byRules : (byRecipe(original, contract, recipes) ?? byRules);
}

function byFirstAid(original: Original, contract: DataContract): Proposal {
  const repaired = firstAid(original.part.text, contract.jsonSchema);
  if (!repaired.ok) return none(`${repaired.code}: ${repaired.reason}`);
  const proof = prove({
    original: original.part,
    repaired: repaired.value,
    schema: contract.jsonSchema,
    sources: {},
    procedure: "first_aid",
    steps: repaired.notes,
    check: (value) => contract.findFaults(value),
  });
  const [objection] = proof.objections;
  if (objection !== undefined)
    return none(`The repair is not proved: ${objection.code} at "${objection.path}".`);
  return toRepair(original, contract, {
    value: repaired.value,
    changes: proof.diff,
    procedure: "first_aid",
  });
}

/** Returns a proved repair by a recipe; null where no recipe applies, or two of them say different things. */
export function byRecipe(
  original: Original,
  contract: DataContract,
  recipes: readonly WardRecipe[],
): Proposal | null {
  const { jsonSchema: schema } = contract;
  const value = onlyReading(original.part);
  if (value === undefined) return null;
  const found = recipes.flatMap(({ id, recipe }) => {
    const tried = tryRecipe(recipe, { value, schema });
    if (tried === null) return [];
    const proof = prove({
      original: original.part,
      repaired: tried.value,
      schema,
      sources: {},
      procedure: "recipe",
      words: tried.words,
      check: (one) => contract.findFaults(one),
    });
    return proof.passes ? [{ value: tried.value, changes: proof.diff, procedure: id }] : [];
  });
  const [first, ...others] = found;
  if (first === undefined || others.some((other) => !isSameJson(other.value, first.value))) return null;
  return toRepair(original, contract, first);
}

function toRepair(
  { whole, part, value: before }: Original,
  contract: DataContract,
  found: {
    readonly value: JsonValue;
    readonly changes: readonly Operation[];
    readonly procedure: string;
  },
): Proposal {
  const { value, procedure } = found;
  // The proof compares what an encoded text says; what the job loses is the text.
  const changes = typeof before === "string" ? [{ op: "replace" as const, path: "", value }] : found.changes;
  const edited = editJson(part.text, value);
  if (edited === undefined) return none(NUMBER_LOST);
  const data = whole === null ? edited : contract.replacePart(whole, edited);
  return { kind: "repair", data, changes, procedure };
}

function none(reason: string): Proposal {
  return { kind: "none", reason };
}

/**
 * Returns the part under the contract: its value as it stands, and what it says if it is a text that encodes another
 * value; and the text of the whole around it, null if the part is all there is.
 */
export function originalOf(
  data: string,
  contract: DataContract,
): {
  readonly value: JsonValue | undefined;
  readonly part: ReturnType<typeof unwrapText>;
  readonly whole: string | null;
} | null {
  if (contract.at === "") return { value: jsonValueOf(data), part: unwrapText(data), whole: null };
  // A name that occurs twice above the part would silently lose one of its values.
  const whole = jsonValueOf(data);
  const part = whole === undefined || parseTolerant(data).length !== 1 ? undefined : contract.part(whole);
  const text = part === undefined ? undefined : textAt(data, stepsOf(contract.at));
  if (text === undefined) return null;
  return { value: part, part: unwrapText(text), whole: data };
}
