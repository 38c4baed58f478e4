import type { ChildProcess } from "node:child_process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { timestamp } from "#shared/clock";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import supportTeam from "../services/agents/support/team.ts";
import { LoopbackShop } from "../services/agents/support/testing/loopback-shop.ts";
import { spawnAgents, whenGone } from "./support/service-process.ts";
import { startModelEndpoint } from "./support/model-endpoint.ts";
import type { ModelEndpoint } from "./support/model-endpoint.ts";

/** Guarantees 3 and 4: whenever the refunds agent's process is killed, an order is paid once, no call repeated. */

let system: TestSystem;
let model: ModelEndpoint;
let shop: LoopbackShop;

beforeEach(async () => {
  system = createTestSystem(supportTeam);
  model = await startModelEndpoint([supportTeam]);
  shop = await LoopbackShop.open();
  const { order_id, customer_email } = REQUEST;
  shop.addOrder({ order_id, customer_email, total: 49.9, bought_at: timestamp() });
});

afterEach(() => model.close());

function spawnRefunds(): ChildProcess {
  return spawnAgents(system, ["refunds", "reply"], {
    OPENAI_BASE_URL: model.url,
    SUTURE_SANDBOX_URL: shop.url,
  });
}

const REQUEST = {
  order_id: "AB-10023",
  reason: "damaged",
  customer_email: "ada@example.org",
  language: "en",
  summary: "The customer wants money back for order AB-10023, which arrived broken.",
  text: "Hello, order AB-10023 arrived broken. Please refund the 49.90 EUR. Ada",
  amount: { value: 49.9, currency: "EUR" },
};

async function runWithOneKill(kill: (worker: () => ChildProcess) => void): Promise<void> {
  let worker: ChildProcess | undefined;
  kill(() => worker as ChildProcess);
  worker = spawnRefunds();
  const { runId } = await system.submit(REQUEST, { to: "refunds@2", contract: "refunds.request@2" });
  // A run that ends or gets stuck first never came to the point, and the test says so below.
  await Promise.race([
    whenGone(worker),
    system.until(runId, ["completed", "failed", "quarantined", "in_ward"]),
  ]);
  expect(worker.signalCode, "the worker was to be killed").toBe("SIGKILL");
  spawnRefunds();
  const run = await system.until(runId, ["completed", "failed", "quarantined", "in_ward"]);
  const events = await system.store.runs.events(runId, { from: 0, limit: 50 });
  expect(run.status, JSON.stringify(events.at(-1))).toBe("completed");
}

/** Kills the worker the first time the shop comes to a point. Before the payment it hangs up as well. */
function killAt(point: "asked" | "done") {
  return (worker: () => ChildProcess): void => {
    shop.at = async (reached) => {
      if (reached !== point || worker().signalCode !== null) return;
      worker().kill("SIGKILL");
      await whenGone(worker());
      if (point === "asked") throw new Error("the connection is gone");
    };
  };
}

describe("a refund whose worker is killed", () => {
  it.each([
    ["between the model's answer and the payment", "asked"],
    ["between the payment and the commit", "done"],
  ] as const)("is paid once when the worker dies %s", async (_when, point) => {
    await runWithOneKill(killAt(point));
    expect(shop.acts).toBe(1);
    expect(shop.done("/sandbox/payments/refunds")).toHaveLength(1);
    expect(model.seen.filter((seen) => seen.schemaName.startsWith("refunds_claim"))).toHaveLength(1);
  });
});
