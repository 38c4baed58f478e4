import { expect, test } from "vitest";
import { startTestConsole, waitFor } from "./testing/start-test-console.ts";
import type { TestConsole } from "./testing/start-test-console.ts";

type Refusals = { refusals: Record<string, unknown>[] };

async function refusalsOf(console: TestConsole, count: number): Promise<Record<string, unknown>[]> {
  return waitFor(async () => {
    const { refusals } = (await (await console.send("/v1/refusals")).json()) as Refusals;
    return refusals.length >= count && refusals;
  });
}

test("records what it refused: roles, wrong keys, failed logins, foreign origins, decisions", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const { case_id } = await console.admit({ order_id: 1 });
  const decision = `/v1/ward/cases/${case_id}/approve`;
  const origin = "http://evil.example";
  expect((await console.post("/v1/queues/con-book/pause", {}, { key: "viewer" })).status).toBe(403);
  const headers = { authorization: "Bearer not-a-key-of-ours" };
  expect((await console.send("/v1/overview", { key: null, headers })).status).toBe(401);
  expect((await console.post("/v1/session", { api_key: "guess-0123" }, { key: null })).status).toBe(401);
  expect((await console.post("/v1/session", { token: "x" }, { key: null, headers: { origin } })).status).toBe(
    403,
  );
  expect((await console.post(decision, { why: "x" }, { key: "operator" })).status).toBe(409);
  expect((await console.send("/v1/session", { key: "submit" })).status).toBe(403);
  // A page without a session asks again and again; that is no attempt.
  expect((await console.send("/v1/overview", { key: null })).status).toBe(401);
  const refusals = await refusalsOf(console, 6);
  const shared = { service: "console", address: "127.0.0.1", unrecorded: 0 };
  const path = "/v1/ward/cases/:case_id/approve";
  expect(refusals).toEqual(
    [
      { by: "sam", method: "GET", route: "/v1/session", status: 403, code: "forbidden" },
      { by: "olga", method: "POST", route: path, status: 409, code: "ward_decision_refused" },
      { by: null, method: "POST", route: "/v1/session", status: 403, code: "cross_origin" },
      { by: null, method: "POST", route: "/v1/session", status: 401, code: "login_refused" },
      { by: null, method: "GET", route: "/v1/overview", status: 401, code: "unauthorised" },
      {
        by: "vera",
        method: "POST",
        route: "/v1/queues/:agent/pause",
        status: 403,
        code: "forbidden",
      },
    ].map((one) => ({ ...shared, ...one, at: expect.stringMatching(/^\d{4}-.*Z$/) })),
  );
  expect(JSON.stringify(refusals)).not.toMatch(/guess|not-a-key|secret/);
});

test("shows refusals to admins alone, and a record that was changed as damaged", async () => {
  const console = await startTestConsole();
  expect((await console.send("/v1/refusals", { key: "operator" })).status).toBe(403);
  await refusalsOf(console, 1);
  await console.store.redis.lpush(console.store.keys.refusals(), '{"by":1}', "no JSON");
  const refusals = await refusalsOf(console, 3);
  expect(refusals.map(({ code }) => code)).toEqual(["damaged", "damaged", "forbidden"]);
});
