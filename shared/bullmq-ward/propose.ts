import { createHash } from "node:crypto";
import type { Operation } from "rfc6902";
import { z } from "zod";
import { now } from "#shared/clock";
import { unwrapText } from "#shared/proof";
import type { ProofSubject } from "#shared/proof";
import { learnRecipe, proposeByRecipes, proposeByRules, Recipe } from "#shared/recipes";
import type { FreeProposal } from "#shared/recipes";
import { parseTolerant } from "#shared/repair";
import { stepsOf } from "#shared/json";
import { isSameJson, jsonValueOf } from "#shared/schema";
import { editJson, textAt } from "#shared/schema/edit";
import type { JsonValue } from "#shared/schema";
import type { AttachedQueue } from "#shared/store/attached";
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

type Original = NonNullable<ReturnType<typeof originalOf>>;

/** Proposes a repair of a job's data by rules or a recipe. Pure, without a model; the proof's objections refuse it. */
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
  const byRules = proposeByRules(original.part);
  const found = [byRules, proposeByRecipes(original.part, [recipes])].find(
    (one) => one.kind === "repair" && one.proof.passes,
  );
  if (found?.kind === "repair") return toRepair(original, contract, found);
  if (byRules.kind === "refusal") return none(byRules.reason);
  const [objection] = byRules.proof.objections;
  return none(`The repair is not proved: ${objection?.code} at "${objection?.path}".`);
}

function toRepair(
  { whole, part, value: before }: Original,
  contract: DataContract,
  { by, value, proof }: Extract<FreeProposal<WardRecipe | null>, { kind: "repair" }>,
): Proposal {
  // The proof compares what an encoded text says; what the job loses is the text.
  const changes = typeof before === "string" ? [{ op: "replace" as const, path: "", value }] : proof.diff;
  const edited = editJson(part.text, value);
  if (edited === undefined) return none("A number whose digits JavaScript cannot hold would move.");
  const data = whole === null ? edited : contract.replacePart(whole, edited);
  return { kind: "repair", data, changes, procedure: by?.id ?? "first_aid" };
}

function none(reason: string): Extract<Proposal, { kind: "none" }> {
  return { kind: "none", reason };
}

/** Returns the part under the contract, what it says if it encodes another value, and the text around it, if any. */
function originalOf(
  data: string,
  contract: DataContract,
): {
  readonly value: JsonValue | undefined;
  readonly part: ProofSubject;
  readonly whole: string | null;
} | null {
  const toSubject = (text: string): ProofSubject => ({
    ...unwrapText(text),
    schema: contract.jsonSchema,
    sources: {},
    check: (value) => contract.findFaults(value),
  });
  if (contract.at === "") return { value: jsonValueOf(data), part: toSubject(data), whole: null };
  // A name that occurs twice above the part would silently lose one of its values.
  const whole = jsonValueOf(data);
  const part = whole === undefined || parseTolerant(data).length !== 1 ? undefined : contract.part(whole);
  const text = part === undefined ? undefined : textAt(data, stepsOf(contract.at));
  return text === undefined ? null : { value: part, part: toSubject(text), whole: data };
}

/** Recipes of one queue, at most. */
const RECIPES_MAX = 200;

export type Learned =
  | { readonly kind: "learned"; readonly recipe: WardRecipe }
  | { readonly kind: "none"; readonly reason: string };

/** Returns the recipes of a queue. Those that cannot be read, of a newer release say, are left out. */
export async function readRecipes(queue: AttachedQueue): Promise<readonly WardRecipe[]> {
  return (await queue.recipes()).flatMap((text) => {
    const read = WardRecipe.safeParse(jsonValueOf(text));
    return read.success ? [read.data] : [];
  });
}

/** Derives a recipe from what a person makes of a case's data, and keeps it. */
export async function learnFromRepair(
  queue: AttachedQueue,
  contract: DataContract | null,
  repair: { readonly jobCase: JobCase; readonly data: string; readonly by: string },
): Promise<Learned> {
  if (contract === null) return none("The queue has no contract, so nothing tells what a recipe may write.");
  const original = repair.jobCase.data === null ? null : originalOf(repair.jobCase.data, contract);
  const whole = jsonValueOf(repair.data);
  const after = whole === undefined ? undefined : contract.part(whole);
  if (original === null || whole === undefined || after === undefined)
    return none("The data before or after cannot be read.");
  const [fault] = contract.findFaults(after);
  if (fault !== undefined) return none(`The repair does not satisfy the contract at "${fault.path}".`);
  const expected = jsonValueOf(contract.replacePart(original.whole ?? repair.data, JSON.stringify(after)));
  if (expected === undefined || !isSameJson(expected, whole))
    return none("The repair changes more than the part under the contract.");
  const result = learnRecipe(original.part, { value: after });
  if ("refusal" in result) return none(result.refusal);
  const { recipe } = result;
  const id = createHash("sha256").update(JSON.stringify(recipe)).digest("hex").slice(0, 16);
  const learned: WardRecipe = { id, recipe, by: repair.by, atMs: now() };
  const isKept = await queue.addRecipe(id, JSON.stringify(learned), RECIPES_MAX);
  return isKept ? { kind: "learned", recipe: learned } : none(`There are ${RECIPES_MAX} recipes already.`);
}
