import { once } from "node:events";
import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { createTestSystem, startTestSystem } from "#shared/testing";
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
  const system = await startTestSystem(newDesk);
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

/** Older messages that agents of the shipped teams take; the team's own tests hold how they are lifted. */
it("knows every older message that an agent takes", async () => {
  const taken = (await loadTeams("services/agents"))
    .flatMap(({ agents }) => [...agents.values()])
    .flatMap(({ accepts, options }) => [accepts, options.collects])
    .filter((accepted) => accepted?.options.upcast !== undefined);
  expect([...new Set(taken.map((accepted) => accepted?.id))]).toEqual(["refunds.request@2"]);
});
