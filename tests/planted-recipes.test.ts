import { expect, test } from "vitest";
import { startTestConsole, waitFor } from "../services/console/testing/start-test-console.ts";
import { startRealSurgeon } from "./support/start-real-surgeon.ts";

const RENAME = { version: 1, operations: [{ op: "rename", path: "/bestellung", to: "order_id" }] };
const MESSAGE = { bestellung: "A-12", amount: 1, note: "a lamp" };

/** What an older release, or whoever may write the ward's keys, says is a recipe. */
function written(fingerprint: string, state: string): Record<string, unknown> {
  const said = { recipe_id: "planted", fingerprint, state, recipe: RENAME, by: "ada", at: "2026-01-01" };
  const proofs = ["a", "b", "c", "d"];
  return { ...said, learned_from: null, proofs, failures: 0, failed_on: [], version: 3, why: "" };
}

async function plant(
  { redis, keys }: Awaited<ReturnType<typeof startTestConsole>>["store"],
  recipe: Record<string, unknown>,
): Promise<void> {
  const fingerprint = String(recipe["fingerprint"]);
  await redis.hset(keys.ward(`recipe:${fingerprint}`), String(recipe["recipe_id"]), JSON.stringify(recipe));
  await redis.hset(keys.ward("recipe-ids"), String(recipe["recipe_id"]), fingerprint);
  await redis.sadd(keys.ward("recipes"), fingerprint);
  await redis.incr(keys.ward("recipes-version"));
}

test.each(["trusted", "trial"])(
  "applies no %s recipe that nobody signed, says so, and applies it once an admin approves it",
  async (state) => {
    const console = await startTestConsole();
    await console.system.start();
    const { case_id, fingerprint, run_id } = await console.admit(MESSAGE);
    await plant(console.store, written(fingerprint, state));
    startRealSurgeon(console);
    await waitFor(async () => (await console.store.cases.counts()).quarantined === 1);
    expect((await console.store.runs.get(run_id)).status).not.toBe("completed");
    const seen = await console.send("/v1/recipes/planted");
    expect(await seen.json()).toMatchObject({
      state,
      audit: [{ by: "surgeon@1", action: "recipe.refused", why: expect.stringMatching(/^Nobody signed it/) }],
    });
    expect((await console.post("/v1/recipes/planted/approve", { why: "mine" })).status).toBe(200);
    expect((await console.post(`/v1/ward/cases/${case_id}/operate`)).status).toBe(202);
    expect((await console.system.until(run_id)).status).toBe("completed");
  },
);

test("applies no genuine recipe that was changed since, brought to another state, or put to another fault", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const one = await console.admit(MESSAGE);
  const { recipes } = console;
  const { redis, keys } = console.store;
  await plant(console.store, written("another/fault", "proposed"));
  await console.post("/v1/recipes/planted/approve", { why: "good" });
  const genuine = await recipes.find("planted");
  const { healed: _healed, ...stored } = genuine ?? { healed: 0 };
  const hash = keys.ward(`recipe:${one.fingerprint}`);
  // As it is, under the fault of the message; and with the fault written over.
  await redis.hset(hash, "moved", JSON.stringify(stored));
  await redis.hset(hash, "rewritten", JSON.stringify({ ...stored, fingerprint: one.fingerprint }));
  await redis.incr(keys.ward("recipes-version"));
  startRealSurgeon(console);
  await waitFor(async () => (await console.store.cases.counts()).quarantined === 1);
  expect((await console.store.runs.get(one.run_id)).status).not.toBe("completed");
  // Retired by a person, and trusted again by nobody.
  const own = { ...written(one.fingerprint, "proposed"), recipe_id: "own" };
  await plant(console.store, own);
  await console.post("/v1/recipes/own/approve", { why: "good" });
  await console.post("/v1/recipes/own/retire", { why: "bad" });
  const text = (await redis.hget(hash, "own")) ?? "{}";
  await redis.hset(hash, "own", JSON.stringify({ ...(JSON.parse(text) as object), state: "trusted" }));
  await redis.incr(keys.ward("recipes-version"));
  await console.post(`/v1/ward/cases/${one.case_id}/operate`);
  await waitFor(async () => {
    const audit = await console.store.cases.audit(one.case_id, 50);
    return audit.filter(({ action }) => action === "quarantine").length === 2;
  });
  expect((await console.store.runs.get(one.run_id)).status).not.toBe("completed");
});
