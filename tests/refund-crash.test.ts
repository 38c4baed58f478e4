import type { ServerResponse } from "node:http";
import type { ChildProcess } from "node:child_process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Team } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { createTestSystem, serveHttp } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { spawnAgents, whenGone } from "./support/service-process.ts";
import { startModelEndpoint } from "./support/model-endpoint.ts";
import type { ModelEndpoint } from "./support/model-endpoint.ts";

/** Guarantees 3 and 4: whenever the refunds agent's process is killed, an order is paid once, no call repeated. */

type Point = "payment_asked" | "paid";

interface PaymentProvider {
  readonly url: string;
  /** Every payment request that took effect: what money left, by order. */
  readonly paid: { readonly order: string; readonly key: string }[];
  /** Called at each point at which a worker may die. */
  at: (point: Point) => Promise<void>;
}

/** A provider that pays whatever it is asked to, once for each request: it dedupes nothing, so a repeat shows. */
async function startProvider(): Promise<PaymentProvider> {
  const provider = {
    paid: [] as { order: string; key: string }[],
    at: async (_point: Point) => undefined,
  };
  const answer = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
  const address = await serveHttp(async (request, response, text) => {
    const url = new URL(request.url ?? "", "http://localhost");
    if (url.pathname.includes("/orders/")) {
      const bought_at = new Date(Date.now() - 3 * 86_400_000).toISOString();
      const order_id = url.pathname.split("/").at(-1);
      answer(response, 200, {
        order_id,
        total: 49.9,
        currency: "EUR",
        status: "delivered",
        bought_at,
        customer_email: "ada@example.org",
      });
      return;
    }
    if (request.method === "POST") {
      await provider.at("payment_asked");
      const key = String(request.headers["idempotency-key"]);
      const order = String((JSON.parse(text) as { order_id: unknown }).order_id);
      provider.paid.push({ order, key });
      await provider.at("paid");
      answer(response, 201, { refund_id: `rf-${provider.paid.length}`, amount: 49.9, currency: "EUR" });
      return;
    }
    const found = provider.paid.filter((one) => one.key === url.searchParams.get("key"));
    answer(response, 200, {
      refunds: found.map((_, i) => ({ refund_id: `rf-${i + 1}`, amount: 49.9, currency: "EUR" })),
    });
  });
  return Object.assign(provider, { url: address });
}

let team: Team;
let system: TestSystem;
let model: ModelEndpoint;
let provider: PaymentProvider;

beforeEach(async () => {
  const teams = await loadTeams("services/agents");
  team = teams.find((one) => one.name === "support") as Team;
  system = createTestSystem(team);
  model = await startModelEndpoint(teams);
  provider = await startProvider();
});

afterEach(() => model.close());

function spawnRefunds(): ChildProcess {
  return spawnAgents(system, ["refunds", "reply"], {
    OPENAI_BASE_URL: model.url,
    SUTURE_SANDBOX_URL: provider.url,
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

/** Kills the worker the first time the provider comes to a point. */
function killAt(point: Point) {
  return (worker: () => ChildProcess): void => {
    provider.at = async (reached) => {
      if (reached !== point || worker().signalCode !== null) return;
      worker().kill("SIGKILL");
      await whenGone(worker());
    };
  };
}

describe("a refund whose worker is killed", () => {
  it("is paid once when the worker dies between the model's answer and the payment", async () => {
    await runWithOneKill((worker) => {
      const kill = killAt("payment_asked");
      kill(worker);
      const die = provider.at;
      let first = true;
      provider.at = async (point) => {
        // The request never took effect: the provider hangs up before it pays.
        if (point === "payment_asked" && first) {
          first = false;
          await die(point);
          throw new Error("the connection is gone");
        }
      };
    });
    expect(provider.paid).toHaveLength(1);
    expect(model.seen.filter((seen) => seen.schemaName.startsWith("refunds_claim"))).toHaveLength(1);
  });

  it("is paid once when the worker dies between the payment and the commit", async () => {
    await runWithOneKill(killAt("paid"));
    expect(provider.paid).toHaveLength(1);
    expect(model.seen.filter((seen) => seen.schemaName.startsWith("refunds_claim"))).toHaveLength(1);
  });
});
