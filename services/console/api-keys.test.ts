import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { startTestConsole } from "./testing/start-test-console.ts";
import type { TestConsole } from "./testing/start-test-console.ts";

const PATH = "/v1/api-keys";
const SHOP = {
  name: "shop",
  tenant: "acme",
  scope: "submit",
  teams: ["con-orders"],
  quotas: { running_runs: 2 },
};

const make = (console: TestConsole, more: object = {}): Promise<Response> =>
  console.post(PATH, { ...SHOP, teams: null, ...more });

async function secretOf(reply: Response): Promise<string> {
  expect(reply.status, await reply.clone().text()).toBe(201);
  return ((await reply.json()) as { secret: string }).secret;
}

const records = async ({ store }: TestConsole): Promise<unknown[]> =>
  (await store.people.read({ from: 0, limit: 100 })).map((text) => JSON.parse(text) as unknown);

test("tells a secret once: no list, no log of people and nothing in Redis has it", async () => {
  const console = await startTestConsole();
  const team = console.system.team.name;
  const secret = await secretOf(await make(console, { teams: [team], why: "their shop opens" }));
  expect(secret).toMatch(/^suture_[\w-]{43}$/);
  const listed = await (await console.send(PATH)).text();
  expect(JSON.parse(listed)).toMatchObject({
    keys: [
      {
        name: "acme/shop",
        scope: "submit",
        created_by: "ada",
        expires_at: null,
        use: { running_runs: 0, waiting_runs: 0, cost_today: 0 },
      },
    ],
  });
  expect((await console.post(`${PATH}/acme%2Fshop/revoke`, { why: "they left" })).status).toBe(200);
  expect((await console.post(`${PATH}/acme%2Fshop/revoke`, {})).status).toBe(404);
  const written = await records(console);
  expect(written).toMatchObject([
    {
      by: "ada",
      person: "ada",
      action: "api-key.create",
      why: "their shop opens",
      detail: { name: "shop", tenant: "acme", scope: "submit", teams: [team], quotas: { running_runs: 2 } },
    },
    { by: "ada", action: "api-key.revoke", why: "they left", detail: { name: "acme/shop" } },
    { by: "ada", action: "api-key.revoke" },
    { action: "refused", detail: { code: "NOT_FOUND", record: 3 } },
  ]);
  const digest = createHash("sha256").update(secret).digest("hex");
  for (const text of [listed, JSON.stringify(written)]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(digest);
  }
});

test.each([
  ["a name that a configured key has", { name: "sam", tenant: "local" }, "/name"],
  ["a name that another key has", {}, "/name"],
  ["a name with a slash", { name: "acme/s" }, "/name"],
  ["a tenant that climbs", { tenant: ".." }, "/tenant"],
  ["an unknown team", { teams: ["nobody"] }, "/teams/0"],
  ["an unknown scope", { scope: "root" }, "/scope"],
  ["an end that is over", { expires_at: "2020-01-01T00:00:00Z" }, "/expires_at"],
  ["a quota of nothing", { quotas: { running_runs: 0 } }, "/quotas/running_runs"],
])("makes no key with %s", async (_what, more, pointer) => {
  const console = await startTestConsole();
  await secretOf(await make(console));
  const reply = await make(console, more);
  expect(reply.status).toBe(422);
  expect(
    ((await reply.json()) as { errors: { pointer: string }[] }).errors.map((one) => one.pointer),
  ).toContain(pointer);
});
