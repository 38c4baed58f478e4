import { once } from "node:events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkPayload, contract, PayloadContentError } from "#shared/contract";
import { isRecord } from "#shared/json";
import { agent, team } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { createTestSystem } from "#shared/testing";
import { spawnService } from "./support/service-process.ts";

/** Guarantee 8: old and new workers side by side; messages in flight of both versions finish. */

const V1 = contract("refund@1", z.strictObject({ order: z.string(), cents: z.int() }));
const V2 = contract("refund@2", z.strictObject({ order_id: z.string(), amount: z.number() }), {
  upcast: (old) => {
    const { order, cents } = V1.schema.parse(old);
    return { order_id: order, amount: cents / 100 };
  },
});

const oldDesk = team("desk", [
  agent("desk@1", { accepts: V1, handle: (input, ctx) => ctx.complete({ by: "old", order: input.order }) }),
]);
const newDesk = team("desk", [
  agent("desk@2", { accepts: V2, handle: (input, ctx) => ctx.complete({ by: "new", ...input }) }),
]);

const OLD_FORM = { order: "A-1", cents: 4250 };
const NEW_FORM = { order_id: "A-2", amount: 42.5 };

it("finishes messages of the old version on new workers, lifted to the new form", async () => {
  const system = createTestSystem(newDesk);
  await system.start();
  expect(await system.run(OLD_FORM, { to: "desk@1", contract: "refund@1" })).toMatchObject({
    status: "completed",
    result: { by: "new", order_id: "A-1", amount: 42.5 },
  });
});

it("lets a message of the new version wait for a new worker, and loses none while both are at work", async () => {
  const system = createTestSystem(newDesk);
  const old = await system.start({ teams: [oldDesk] });
  const early = await system.submit(NEW_FORM, { to: "desk@2", contract: "refund@2" });
  await expect
    .poll(async () =>
      (await system.store.runs.events(early.runId, { from: 0, limit: 20 })).map((e) => e.type),
    )
    .toContain("postponed");
  await system.start();
  const mixed = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      i % 2 === 0
        ? system.submit(OLD_FORM, { to: "desk@1", contract: "refund@1" })
        : system.submit(NEW_FORM, { to: "desk@2", contract: "refund@2" }),
    ),
  );
  await old.stop(1000);
  for (const { runId } of [early, ...mixed]) expect((await system.until(runId)).status).toBe("completed");
  expect(await system.store.runs.counts()).toMatchObject({ submitted: 21, completed: 21 });
});

it.each(["agents", "surgeon", "gateway", "console"])(
  "%s ends at once where another release's data lies, and changes none of it",
  async (name) => {
    const [support] = (await loadTeams("services/agents")).filter((own) => own.name === "support");
    if (support === undefined) throw new Error("there is no team support");
    const system = createTestSystem(support);
    const { redis, keys } = system.store;
    await redis.set(keys.dataFormat(), "1");
    const env = { OPENAI_API_KEY: "", SUTURE_GATEWAY_PORT: "0", SUTURE_CONSOLE_PORT: "0" };
    const { child } = spawnService(system, { name, env });
    expect(await once(child, "exit")).toEqual([1, null]);
    expect(await redis.keys(`${keys.prefix}:*`)).toEqual([keys.dataFormat()]);
  },
);

/** Versions that differ from today's in name alone, or in what is optional: any payload of today is one of theirs. */
const OF_TODAYS_FORM = [
  "editorial.manuscript@2",
  "editorial.analysis-request@1",
  "editorial.project@3",
  "editorial.component-design@3",
];
/** Lifted to another form altogether; the team's own tests hold these. */
const OF_ANOTHER_FORM = ["refunds.request@1", "coder.patch-order@2", "coder.trial-order@2"];
const RUNS = 40;
const LENGTH_MAX = 40;

/** Returns payloads of a JSON Schema as zod writes it: with and without what is optional, of every alternative. */
function payloadsOf(schema: Readonly<Record<string, unknown>>): fc.Arbitrary<unknown> {
  const of = (part: unknown): fc.Arbitrary<unknown> => payloadsOf(isRecord(part) ? part : {});
  const number = (key: string, otherwise: number): number => Number(schema[key] ?? otherwise);
  const alternatives = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(alternatives)) return fc.oneof(...alternatives.map(of));
  if ("const" in schema) return fc.constant(schema["const"]);
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...schema["enum"]);
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

const teams = await loadTeams("services/agents");
/** Every contract that an agent takes in an older form, too. */
const taken = teams.flatMap((own) =>
  [...own.agents.values()]
    .flatMap(({ accepts, options }) => [accepts, options.collects])
    .flatMap((accepted) => (accepted?.options.upcast === undefined ? [] : [accepted]))
    .flatMap((accepted) =>
      Array.from({ length: accepted.version - 1 }, (_, index) => ({
        older: `${accepted.name}@${index + 1}`,
        contract: accepted,
        registry: own.contracts,
        // An upcast lifts the version before; one before that only if the team knows what lies between.
        isTaken:
          index + 2 === accepted.version || own.contracts.find(`${accepted.name}@${index + 1}`) !== undefined,
      })).filter(({ isTaken }) => isTaken),
    ),
);

const eachOnce = [...new Map(taken.map((one) => [one.older, one])).values()];

it("knows every older message that an agent takes", () => {
  const known = [...OF_TODAYS_FORM, ...OF_ANOTHER_FORM];
  expect([...new Set(taken.map(({ older }) => older))].toSorted()).toEqual(known.toSorted());
});

describe("a message of an older version", () => {
  it.each(eachOnce.filter(({ older }) => OF_TODAYS_FORM.includes(older)))(
    "$older is lifted to what its agent takes, and loses nothing",
    ({ older, contract: current, registry }) => {
      let lifts = 0;
      const holds = fc.property(payloadsOf(current.jsonSchema), (payload) => {
        try {
          const lifted = registry.upcast(older, current, payload);
          const read = current.schema.safeParse(lifted);
          expect(read.error?.issues ?? []).toEqual([]);
          // Every contract is of an object.
          expect(read.data).toMatchObject(payload as object);
          checkPayload(current, lifted);
          lifts += 1;
        } catch (error) {
          // Of good form and false, such as a quotation that stands nowhere: refused then as now.
          if (!(error instanceof PayloadContentError)) throw error;
        }
      });
      fc.assert(holds, { numRuns: RUNS, seed: 1 });
      expect(lifts).toBeGreaterThan(0);
    },
  );
});
