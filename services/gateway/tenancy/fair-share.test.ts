import { globSync, readFileSync } from "node:fs";
import { expect, it, test, describe } from "vitest";
import { z } from "zod";
import { sleep } from "#shared/clock";
import { contract, sensitive } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { answerOf, startedForm } from "../testing/answer.ts";
import { chainTeam } from "../testing/chain-team.ts";
import { SECRETS, startTestGateway } from "../testing/start-test-gateway.ts";
import type { TestGateway } from "../testing/start-test-gateway.ts";

/** Long beside what the machine's other work may take. */
const WORK_MS = 150;
const CONCURRENCY = 8;
const LANES = 4;
const ASKED_BY_LANE = 12;
/** Tasks of a flood, which takes more than twice as long as the looks beside it. */
const FLOOD = 1200;
/** Other work of the machine may meet a look or two; it does not meet three alike. */
const LOOKS_MAX = 3;
const FLOOD_AT_ONCE = 50;

const Work = contract("gw.work@1", z.object({ n: z.number() }));
const work = (signal: AbortSignal): Promise<void> => sleep(WORK_MS, signal);

/** Some 53 runs a second at most, through two agents. */
const busy = team("gw-busy", [
  agent("gw-busy@1", {
    accepts: Work,
    concurrency: CONCURRENCY,
    to: { "gw-done": Work },
    handle: async (input, ctx) => {
      await work(ctx.signal);
      return ctx.handoff("gw-done", input);
    },
  }),
  agent("gw-done@1", {
    accepts: Work,
    concurrency: CONCURRENCY,
    handle: async (input, ctx) => {
      await work(ctx.signal);
      return ctx.complete(input);
    },
  }),
]);

const submit = (gateway: TestGateway, secret: string, n: number, more: object = {}): Promise<Response> =>
  gateway.post(
    "/v1/tasks",
    { team: "gw-busy", input: { n }, ...more },
    { authorization: `Bearer ${secret}` },
  );

/** Milliseconds from the request to the run's end, rising, of a few tasks at a time. */
async function latencies(gateway: TestGateway): Promise<number[]> {
  const lane = async (): Promise<number[]> => {
    const taken: number[] = [];
    for (let n = 0; n < ASKED_BY_LANE; n += 1) {
      const startedMs = performance.now();
      const { run_id } = await answerOf(submit(gateway, SECRETS.globex, n), startedForm);
      const shown = await gateway.send(`/v1/runs/${run_id}?wait=60`, { key: SECRETS.globex });
      expect(await shown.json()).toMatchObject({ status: "completed" });
      taken.push(performance.now() - startedMs);
    }
    return taken;
  };
  return (await Promise.all(Array.from({ length: LANES }, lane))).flat().toSorted((a, b) => a - b);
}

async function flood(gateway: TestGateway, more: object): Promise<void> {
  for (let sent = 0; sent < FLOOD; sent += FLOOD_AT_ONCE) {
    const replies = Array.from({ length: FLOOD_AT_ONCE }, (_, n) => submit(gateway, SECRETS.acme, n, more));
    for (const reply of await Promise.all(replies)) expect(reply.status).toBe(202);
  }
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.ceil(sorted.length * share) - 1] ?? 0;

/** Returns the factor by which tasks take longer than alone: at their median or 99th percentile, the worse one. */
async function slowdown(gateway: TestGateway, alone: readonly number[]): Promise<number> {
  const beside = await latencies(gateway);
  return Math.max(...[0.5, 0.99].map((share) => at(beside, share) / at(alone, share)));
}

it.each([
  ["as it may", {}],
  ["and calls all of it urgent", { priority: "high" }],
])(
  "a tenant that floods %s does not slow another down",
  async (_how, more) => {
    const gateway = await startTestGateway({
      team: busy,
      parts: { tenantShare: 1 },
      bounds: { fairEveryMs: 200 },
    });
    await gateway.system.start();
    // Until everything is warm.
    await Promise.all(Array.from({ length: LANES }, (_, n) => submit(gateway, SECRETS.acme, n)));
    const alone = await latencies(gateway);
    await flood(gateway, more);
    let worst = Infinity;
    for (let look = 0; look < LOOKS_MAX && worst >= 2; look += 1) worst = await slowdown(gateway, alone);
    // More was sent than was done meanwhile.
    expect(await gateway.store.owners.open("tenant:acme")).toBeGreaterThan(100);
    expect(worst).toBeLessThan(2);
  },
  300_000,
);

/** Files that read runs or events from the store themselves, and why nothing of a payload leaves by them. */
const BESIDE_THE_DOOR: Readonly<Record<string, string>> = {
  "services/gateway/tenancy/see-run.ts": "is the door",
  "services/gateway/webhook/send-webhooks.ts":
    "looks at status and age; what it sends is read through the door",
  "shared/api/run-views/list-runs.ts": "gives summaries",
  "services/gateway/runs/start-run.ts": "gives ids of a repeated request",
  "services/gateway/runs/read-task.ts": "looks for a message's id",
  "services/gateway/agent-protocol/operations.ts": "gives records to a reader that masks them",
  "services/gateway/a2a/request-handler.ts": "gives records to a reader that masks them",
};

test("reads runs and events by one door, so that no operation shows them unmasked", () => {
  const readers = globSync("{services/gateway,shared/api/run-views}/**/*.ts")
    .filter((file) => !file.includes(".test.") && !file.includes("/testing/"))
    .filter((file) =>
      /\bruns\s*\.(?:get|find|findConfirmed|events|eventsConfirmed|page|list)\(|\breadEvents\(/.test(
        readFileSync(file, "utf8"),
      ),
    );
  expect(readers.toSorted()).toEqual(Object.keys(BESIDE_THE_DOOR).toSorted());
});

test("gives stored files to no key that only reads, where a team marks anything", async () => {
  const Visit = contract("seen.visit@1", z.strictObject({ patient: sensitive(z.string()) }));
  const visits = agent("seen-visit@1", { accepts: Visit, handle: (_visit, ctx) => ctx.complete({}) });
  const [marking, plain] = [
    await startTestGateway({ team: team("clinic", [visits]) }),
    await startTestGateway(),
  ];
  for (const [gateway, status] of [
    [marking, 403],
    [plain, 200],
  ] as const) {
    const stored = await gateway.send("/v1/blobs", { method: "POST", body: "a message of Ada's" });
    const { sha256 } = z.looseObject({ sha256: z.string() }).parse(await stored.json());
    expect((await gateway.send(`/v1/blobs/${sha256}`, { key: SECRETS.viewer })).status).toBe(status);
    expect((await gateway.send(`/v1/blobs/${sha256}`, { key: SECRETS.submit })).status).toBe(200);
  }
});

const limited = team("gw-chain", [...chainTeam.agents.values()], {
  costLimit: 0.25,
  tokenLimit: 5000,
  hopsMax: 4,
  ttlMs: 3_600_000,
});
const ABOVE = [
  ["cost", { budget: { cost_limit: 0.26 } }, "/budget/cost_limit", "0.25"],
  ["tokens", { budget: { token_limit: 5001 } }, "/budget/token_limit", "5000"],
  ["life", { ttl_ms: 3_600_001 }, "/ttl_ms", "3600000"],
  ["a life without an end", { ttl_ms: null }, "/ttl_ms", "3600000"],
] as const;
const HANDOFF = { target_agent: "gw-first", contract: "gw.note@2", data_payload: { text: "x" } };
const TASK = { team: "gw-chain", input: { text: "x" } };

describe("a team's limits are ceilings", () => {
  it.each([
    ...ABOVE.map(([what, more, ...rest]) => [what, "/v1/tasks", { ...TASK, ...more }, ...rest] as const),
    ["hops", "/v1/tasks", { ...TASK, max_hops: 5 }, "/max_hops", "4"] as const,
    ...ABOVE.map(
      ([what, more, ...rest]) => [what, "/v1/handoffs", { ...HANDOFF, ...more }, ...rest] as const,
    ),
  ])(
    "and more %s at %s is refused with the field and the ceiling",
    async (_what, path, body, pointer, most) => {
      const gateway = await startTestGateway({ team: limited });
      const reply = await gateway.post(path, body);
      expect(reply.status).toBe(422);
      expect(await reply.json()).toMatchObject({
        errors: [{ pointer, code: "above_ceiling", message: expect.stringContaining(`at most ${most};`) }],
      });
      expect(await gateway.store.runs.counts()).toMatchObject({ submitted: 0 });
    },
  );

  it("and lower ones hold, one by one", async () => {
    const gateway = await startTestGateway({ team: limited });
    const less = { budget: { token_limit: 10 }, max_hops: 2 };
    const { message_id } = await answerOf(gateway.post("/v1/tasks", { ...TASK, ...less }), startedForm);
    const job = await gateway.store.queues.of("gw-first", "fresh").getJob(message_id);
    expect(JSON.parse(String(job?.data["sealed"]))).toMatchObject({
      meta: { max_hops: 2 },
      billing: { cost_limit: 0.25, token_limit: 10 },
    });
  });
});

describe("an agent that takes nothing from outside", () => {
  it.each([
    [
      "an agent in the middle",
      { target_agent: "gw-last", contract: "gw.length@1", data_payload: { text: "x", length: 9 } },
    ],
    [
      "what its contract refuses",
      { target_agent: "gw-last", contract: "gw.length@1", data_payload: "x", on_invalid: "ward" },
    ],
    [
      "the agent by its version",
      { target_agent: "gw-old@1", contract: "gw.note@1", data_payload: { words: "x" } },
    ],
  ])("is not reached by POST /v1/handoffs: %s", async (_what, body) => {
    const gateway = await startTestGateway();
    const reply = await gateway.post("/v1/handoffs", body);
    expect(reply.status).toBe(422);
    expect(await reply.json()).toMatchObject({
      errors: [
        {
          pointer: "/target_agent",
          code: "closed_agent",
          message: expect.stringContaining(
            "submit a task to gw-chain, or declare the agent with outside: true",
          ),
        },
      ],
    });
    expect(await gateway.store.runs.counts()).toMatchObject({ submitted: 0 });
  });
});
