import { strict as assert } from "node:assert";
import { setTimeout as sleep } from "node:timers/promises";
import createClient from "openapi-fetch";
import type { paths } from "#shared/api/client";

/** What somebody does who knows the API by its description alone. Run by the test, with the types it generated. */
const [, , gatewayUrl = "", consoleUrl = "", key = ""] = process.argv;
const headers = { authorization: `Bearer ${key}` };
const gateway = createClient<paths>({ baseUrl: gatewayUrl, headers });
const operators = createClient<paths>({ baseUrl: consoleUrl, headers });

const good = await gateway.POST("/v1/tasks", { body: { team: "gw-chain", input: { text: "hello" } } });
assert(good.data);
const done = await waitFor(good.data.run_id);
assert.equal(done.status, "completed");

const wrong = await gateway.POST("/v1/tasks", { body: { team: "gw-chain", input: { text: "" } } });
assert.equal(wrong.error?.code, "payload_invalid");
assert.equal(wrong.error.errors[0]?.pointer, "/input/text");

const bad = { target_agent: "gw-first", contract: "gw.note@2", data_payload: { amount: 5 } };
const sent = await gateway.POST("/v1/handoffs", { body: { ...bad, on_invalid: "ward" } });
assert(sent.data);
const { run_id } = sent.data;
const case_id = await findCase(run_id);
const seen = await operators.GET("/v1/ward/cases/{case_id}", { params: { path: { case_id } } });
assert.equal(seen.data?.marks[0]?.path, "/text");
assert(seen.data.actions.includes("release"));
const release = {
  payload: { text: "a lamp", amount: 5 },
  why: "asked the customer",
  version: seen.data.case.version,
};
const decided = await operators.POST("/v1/ward/cases/{case_id}/release", {
  params: { path: { case_id } },
  body: release,
});
assert.equal(decided.error, undefined);
assert.equal(decided.data?.decision?.why, "asked the customer");
const healed = await waitFor(run_id);
assert.equal(healed.status, "completed");
assert.deepEqual(
  healed.hops.map(({ agent }) => agent),
  ["gw-first", "gw-first", "gw-last"],
);

async function waitFor(id: string) {
  const params = { path: { run_id: id }, query: { wait: 30 } };
  const { data } = await gateway.GET("/v1/runs/{run_id}", { params });
  assert(data);
  return data;
}

async function findCase(id: string): Promise<string> {
  for (;;) {
    const query = { run_id: id, status: "quarantined" } as const;
    const { data } = await operators.GET("/v1/ward/cases", { params: { query } });
    const found = data?.cases[0];
    if (found !== undefined) return found.case_id;
    await sleep(100);
  }
}
