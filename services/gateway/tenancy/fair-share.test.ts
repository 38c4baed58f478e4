import { expect, it } from "vitest";
import { z } from "zod";
import { sleep } from "#shared/clock";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { answerOf, startedForm } from "../testing/answer.ts";
import { SECRETS, startTestGateway } from "../testing/start-test-gateway.ts";
import type { TestGateway } from "../testing/start-test-gateway.ts";

/** Long beside what the machine's other work may take. */
const WORK_MS = 150;
const CONCURRENCY = 8;
const LANES = 4;
const ASKED_BY_LANE = 12;
/** What takes more than twice as long as the looks beside it. */
const FLOOD = 1200;
/** What else the machine does may meet a look or two; it does not meet three alike. */
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

/** How many times longer tasks take than alone: at their median or at their 99th percentile, whichever is worse. */
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
    // What was sent is still more than was done meanwhile.
    expect(await gateway.store.owners.open("tenant:acme")).toBeGreaterThan(100);
    expect(worst).toBeLessThan(2);
  },
  300_000,
);
