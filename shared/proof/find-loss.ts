import type { JsonSchema } from "#shared/json";
import { isObject, isSameJson, nameOf, propertiesOf, valueAt } from "#shared/schema";
import type { JsonValue, Leaf, Places } from "#shared/schema";
import { Account } from "./account.ts";
import type { Clause } from "./account.ts";
import { findCut } from "./find-cut.ts";
import type { Readings } from "./find-cut.ts";
import { findLost } from "./find-lost.ts";
import { findUnaccounted } from "./find-unaccounted.ts";
import type { Objection, ProofInput, ProvenanceEntry } from "./proof.ts";
import type { TwoReadings } from "./second-reading.ts";

/** Finds what the original says, and the repair does not; a person may leave out what it says in words. */
export function findLoss(
  {
    input,
    places,
    byModel,
  }: { readonly input: ProofInput; readonly places: Places; readonly byModel: TwoReadings },
  {
    readings,
    leaves,
    judged,
    before,
  }: {
    readonly readings: Readings;
    readonly leaves: readonly Leaf[];
    readonly judged: readonly { readonly entry: ProvenanceEntry }[];
    readonly before: Places;
  },
): Objection[] {
  const { schema, original } = input;
  const taken = leaves.map((leaf, at) => ({ leaf, kind: judged[at]?.entry.kind ?? "invented" }));
  const schemaAt = (leaf: Leaf): JsonSchema => places.schemaAt(leaf)?.schema ?? {};
  const silent = new Set(
    taken.filter(({ leaf, kind }) => kind === "contract" && isAbsence(leaf.value, schemaAt(leaf))),
  );
  const given = taken.filter(({ leaf, kind }) => OF_TEXT.has(kind) && holdsFact(leaf.value));
  const sourced = given.filter((one) => !silent.has(one));
  const account = new Account({
    schema,
    values: [...given.map(({ leaf }) => leaf.value), ...(input.words?.values() ?? [])],
    given: sourced.flatMap(({ leaf }) => leaf.steps),
    absent: taken
      .filter((one) => silent.has(one) || !holdsFact(one.leaf.value))
      .map(({ leaf }) => nameOf(leaf.steps)),
    isSilent: silent.size > 0,
    isGrounded: sourced.length > 0,
  });
  const byQuote = {
    // That something is not there has to be said in words that a rule knows.
    givers: new Set(
      taken.filter((one) => !silent.has(one) && holdsFact(one.leaf.value)).map(({ leaf }) => leaf.path),
    ),
    // Readers may call words around data a frame where the contract has no place left for them.
    mayFrame: silent.size === 0 && typeof readings.cheapest === "object" && isFull(input),
  };
  const isQuoted = (clause: Clause): boolean => byModel.account(clause, byQuote);
  const lost = findLost(input, readings.all, { leaves, account, isQuoted });
  if (input.procedure === "person") return lost;
  return [
    ...lost,
    ...findCut(input, readings, before),
    ...(original.value === undefined
      ? findUnaccounted(input, { account, isQuoted, leaves, schemaAt, readings: readings.all })
      : []),
  ];
}

/** Kinds of values whose words may stand in the original. */
const OF_TEXT: ReadonlySet<string> = new Set(["unchanged", "original", "coerced", "contract"]);

function holdsFact(value: JsonValue): boolean {
  return value !== null && typeof value !== "object" && value !== "";
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
  return !holdsFact(value) || ("default" in schema && isSameJson(value, schema["default"]));
}
