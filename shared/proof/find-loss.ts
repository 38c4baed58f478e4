import type { JsonSchema } from "#shared/json";
import { isObject, isSameJson, nameOf, propertiesOf, valueAt } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { Account } from "./account.ts";
import { isFact } from "./diff-values.ts";
import type { Compared, Told } from "./diff-values.ts";
import { findNeedless } from "./find-added.ts";
import { findCut, findDropped, findShrunk } from "./find-dropped.ts";
import { findUnaccounted } from "./find-unaccounted.ts";
import type { Objection, ProofInput } from "./proof.ts";

/** Maximum readings of a damaged text; a more ambiguous text cannot be proved. */
const READINGS_MAX = 20;

/** Kinds of values whose words may stand in the original. */
const OF_TEXT: ReadonlySet<string> = new Set(["unchanged", "original", "coerced", "contract"]);

/** Finds what the original says, and the repair does not; a person may leave out what it says in words. */
export function findLoss(compared: Compared): Objection[] {
  const { input } = compared;
  const told = tell(compared);
  const lost = findLost(compared, told);
  if (input.procedure === "person") return lost.filter(({ code }) => code !== "unaccounted");
  const isText = input.original.value === undefined;
  return [...lost, ...findCut(compared), ...(isText ? findUnaccounted(compared, told) : [])];
}

function tell({ input, leaves, kinds, places, readings, byModel }: Compared): Told {
  const taken = leaves.map((leaf, at) => ({ leaf, kind: kinds[at] ?? "invented" }));
  const silent = new Set(
    taken.filter(
      ({ leaf, kind }) => kind === "contract" && isAbsence(leaf.value, places.schemaAt(leaf)?.schema ?? {}),
    ),
  );
  const given = taken.filter(({ leaf, kind }) => OF_TEXT.has(kind) && isFact(leaf.value));
  const sourced = given.filter((one) => !silent.has(one));
  const account = new Account({
    schema: input.schema,
    values: [...given.map(({ leaf }) => leaf.value), ...(input.words?.values() ?? [])],
    given: sourced.flatMap(({ leaf }) => leaf.steps),
    absent: taken
      .filter((one) => silent.has(one) || !isFact(one.leaf.value))
      .map(({ leaf }) => nameOf(leaf.steps)),
    isSilent: silent.size > 0,
    isGrounded: sourced.length > 0,
  });
  const byQuote = {
    // That something is not there has to be said in words that a rule knows.
    givers: new Set(
      taken.filter((one) => !silent.has(one) && isFact(one.leaf.value)).map(({ leaf }) => leaf.path),
    ),
    // Readers may call words around data a frame where the contract has no place left for them.
    mayFrame: silent.size === 0 && typeof readings.cheapest === "object" && isFull(input),
  };
  return { account, isQuoted: (clause) => byModel.account(clause, byQuote) };
}

/**
 * Finds values that the repair dropped, shortened or replaced without need. A model's or recipe's repair is compared
 * with every reading of a damaged text, because it could take injected text for the answer; contradicting readings
 * then fail. First aid's and a person's repair is compared with the cheapest reading.
 */
function findLost(compared: Compared, told: Told): Objection[] {
  const { procedure, repaired } = compared.input;
  const readings = compared.readings.all;
  const mayChoose = procedure === "person" || procedure === "first_aid";
  const isCompared = procedure !== "person" && (readings.length === 1 || !mayChoose);
  const lost = readings
    .slice(0, mayChoose ? 1 : READINGS_MAX)
    .flatMap((original) => [
      ...findDropped(original, compared, { ...told, byName: !mayChoose }),
      ...findShrunk(original, repaired),
      ...(isCompared ? findNeedless(original, compared) : []),
    ]);
  if (mayChoose || readings.length <= READINGS_MAX) return lost;
  return [{ path: "", code: "limit", message: "the text can be read in too many ways" }, ...lost];
}

/** Returns true for an object with every member that its contract declares, and without a list. */
function isFull({ repaired, schema }: ProofInput): boolean {
  return (
    isObject(repaired) &&
    schema["additionalProperties"] === false &&
    Object.keys(propertiesOf(schema)).every((name) => valueAt(repaired, [name]) !== undefined) &&
    !Object.values(repaired).some((one) => Array.isArray(one))
  );
}

/** A value that says that there is nothing, or nothing but what the contract takes for granted. */
function isAbsence(value: JsonValue, schema: JsonSchema): boolean {
  return !isFact(value) || ("default" in schema && isSameJson(value, schema["default"]));
}
