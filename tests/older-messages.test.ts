import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkPayload, PayloadContentError } from "#shared/contract";
import { isRecord } from "#shared/json";
import { loadTeams } from "#shared/runtime/process";

/**
 * What later versions added to an older one, as JSON pointers; `*` is every element. A payload of today without them
 * is one that the release before could send.
 */
const ADDED_SINCE: Readonly<Record<string, readonly string[]>> = {
  "editorial.manuscript@2": [],
  "editorial.analysis-request@1": [],
  "editorial.project@3": [],
  "editorial.component-design@3": [],
};
/** Lifted to another form altogether; the team's own tests hold these. */
const OF_ANOTHER_FORM = ["refunds.request@1", "coder.patch-order@2", "coder.trial-order@2"];
/** Values of today's enums that no older version has. */
const NEW_WORDS = new Set<unknown>(["not_placed"]);
const RUNS = 40;
const LENGTH_MAX = 40;

/** Returns payloads of a JSON Schema as zod writes it: with and without what is optional, of every alternative. */
function payloadsOf(schema: Readonly<Record<string, unknown>>): fc.Arbitrary<unknown> {
  const of = (part: unknown): fc.Arbitrary<unknown> => payloadsOf(isRecord(part) ? part : {});
  const number = (key: string, otherwise: number): number => Number(schema[key] ?? otherwise);
  const alternatives = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(alternatives)) return fc.oneof(...alternatives.map(of));
  if ("const" in schema) return fc.constant(schema["const"]);
  if (Array.isArray(schema["enum"]))
    return fc.constantFrom(...schema["enum"].filter((one) => !NEW_WORDS.has(one)));
  const min = number("minLength", number("minItems", 0));
  const sizes = {
    minLength: min,
    maxLength: Math.min(number("maxLength", number("maxItems", LENGTH_MAX)), min + 4),
  };
  switch (schema["type"]) {
    case "object": {
      const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
      const requiredKeys = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
      return fc.record(Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, of(one)])), {
        requiredKeys,
      });
    }
    case "array":
      return fc.array(of(schema["items"]), sizes);
    case "string":
      if (schema["format"] === "email") return fc.constant("kim@mail.example");
      if (typeof schema["pattern"] === "string") return fc.stringMatching(new RegExp(schema["pattern"], "u"));
      return fc.string(sizes);
    case "integer":
    case "number": {
      const least = number("minimum", number("exclusiveMinimum", -1) + 1);
      return fc.integer({ min: Math.max(0, Math.ceil(least)), max: Math.min(number("maximum", 1000), 1000) });
    }
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      throw new Error(`no payloads of ${JSON.stringify(schema)}`);
  }
}

/** Returns a value without the member that a pointer names, wherever there is one. */
function without(value: unknown, [step = "", ...rest]: readonly string[]): unknown {
  if (step === "*" && Array.isArray(value)) return value.map((one) => without(one, rest));
  if (!isRecord(value) || !(step in value)) return value;
  const { [step]: member, ...others } = value;
  return rest.length === 0 ? others : { ...others, [step]: without(member, rest) };
}

const teams = await loadTeams("services/agents");
/** Every contract that an agent takes in an older form, too. */
const taken = teams.flatMap((team) =>
  [...team.agents.values()]
    .flatMap(({ accepts, options }) => [accepts, options.collects])
    .flatMap((contract) => (contract?.options.upcast === undefined ? [] : [contract]))
    .flatMap((contract) =>
      Array.from({ length: contract.version - 1 }, (_, index) => ({
        older: `${contract.name}@${index + 1}`,
        contract,
        registry: team.contracts,
        // An upcast lifts the version before; one before that only if the team knows what lies between.
        isTaken:
          index + 2 === contract.version ||
          team.contracts.find(`${contract.name}@${index + 1}`) !== undefined,
      })).filter(({ isTaken }) => isTaken),
    ),
);

const once = [...new Map(taken.map((one) => [one.older, one])).values()];

it("knows every older message that an agent takes", () => {
  const known = [...Object.keys(ADDED_SINCE), ...OF_ANOTHER_FORM];
  expect([...new Set(taken.map(({ older }) => older))].toSorted()).toEqual(known.toSorted());
});

describe("a message of an older version", () => {
  it.each(once.filter(({ older }) => older in ADDED_SINCE))(
    "$older is lifted to what its agent takes, and loses nothing",
    ({ older, contract, registry }) => {
      let accepted = 0;
      const sent = payloadsOf(contract.jsonSchema).map((payload) =>
        (ADDED_SINCE[older] ?? []).reduce(
          (left, pointer) => without(left, pointer.split("/").slice(1)),
          payload,
        ),
      );
      const holds = fc.property(sent, (payload) => {
        try {
          const lifted = registry.upcast(older, contract, payload);
          const read = contract.schema.safeParse(lifted);
          expect(read.error?.issues ?? []).toEqual([]);
          // Every contract is of an object.
          expect(read.data).toMatchObject(payload as object);
          checkPayload(contract, lifted);
          accepted += 1;
        } catch (error) {
          // Of good form and false, such as a quotation that stands nowhere: refused then as now.
          if (!(error instanceof PayloadContentError)) throw error;
        }
      });
      fc.assert(holds, { numRuns: RUNS, seed: 1 });
      expect(accepted).toBeGreaterThan(0);
    },
  );
});
