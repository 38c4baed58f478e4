import { expect, it } from "vitest";
import { startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";
import officeTeam from "./support/office-team/office/team.ts";
import { startOwnRedis, untilTrue } from "./support/redis-servers.ts";

const ORDER = { team: "office", input: { id: "one", seats: 3 } };
const ANSWER_MS = 400;
/** Room for a busy machine; without the bound, an answer takes 5 s. */
const QUICK_MS = 3000;

type Readiness = { status: string; parts: { part: string; state: string; detail: string }[] };

async function openGateway(parts: Parameters<typeof startTestGateway>[0] = {}) {
  const own = await startOwnRedis();
  const gateway = await startTestGateway({
    ...parts,
    store: { url: own.url, answerMs: ANSWER_MS },
    team: officeTeam,
  });
  const readiness = async (): Promise<{ code: number } & Readiness> => {
    const reply = await gateway.send("/readyz", { key: null });
    return { code: reply.status, ...((await reply.json()) as Readiness) };
  };
  return { own, gateway, readiness };
}

it("answers 503 quickly while Redis hangs, names it, and accepts the task once when it goes on", async () => {
  const { own, gateway, readiness } = await openGateway();
  expect((await gateway.post("/v1/tasks", ORDER)).status).toBe(202);
  own.hang();
  const startedMs = performance.now();
  const key = { "idempotency-key": "k" };
  const replies = await Promise.all([1, 2, 3].map(() => gateway.post("/v1/tasks", ORDER, key)));
  expect(performance.now() - startedMs).toBeLessThan(QUICK_MS);
  for (const reply of replies) {
    expect(reply.status).toBe(503);
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await reply.json()).toMatchObject({ detail: expect.stringContaining("same Idempotency-Key") });
  }
  const readMs = performance.now();
  expect((await gateway.send("/v1/runs")).status).toBe(503);
  expect(performance.now() - readMs).toBeLessThan(QUICK_MS);
  expect(await readiness()).toMatchObject({ code: 503, status: "store_unreachable" });
  own.goOn();
  await untilTrue(async () => (await gateway.post("/v1/tasks", ORDER, key)).status === 202);
  expect(await gateway.system.store.runs.counts()).toMatchObject({ submitted: 2 });
}, 120_000);

it("is not ready while no agent works for any team, and names a missing surgeon", async () => {
  const { gateway, readiness } = await openGateway({ parts: { isReadyWithoutAgents: false } });
  expect(await readiness()).toMatchObject({
    code: 503,
    status: "agents_missing",
    parts: expect.arrayContaining([
      expect.objectContaining({
        part: "team office",
        state: "failed",
        detail: expect.stringContaining("inbox"),
      }),
    ]),
  });
  await gateway.system.start();
  expect(await readiness()).toMatchObject({
    code: 200,
    status: "degraded",
    parts: expect.arrayContaining([expect.objectContaining({ part: "surgeon", state: "failed" })]),
  });
}, 120_000);
