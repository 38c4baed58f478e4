import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { sleep } from "#shared/clock";
import { findingSchema } from "#shared/doctor";
import { createMaster } from "#shared/envelope/keys";
import { temporaryFolder, testRedisUrl } from "#shared/testing";
import { SECRETS, startTestConsole } from "../services/console/testing/start-test-console.ts";
import { startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";
import officeTeam from "./support/office-team/office/team.ts";
import { runCli } from "./support/run-cli.ts";

/** `suture drain` and `suture upgrade check` beside a gateway, a console and agents that work. */

const ORDER = { target_agent: "inbox", contract: "office.order@1", data_payload: { id: "o", seats: 3 } };

async function openOffice() {
  const gateway = await startTestGateway({ team: officeTeam });
  const console = await startTestConsole({}, [], gateway.system);
  const to = ["--console-url", console.url, "--key", SECRETS.operator];
  const order = (key: string): Promise<Response> =>
    gateway.post("/v1/handoffs", ORDER, { "idempotency-key": key });
  const drain = (...args: readonly string[]) => runCli(["drain", ...args, ...to]);
  return { gateway, system: gateway.system, order, drain };
}

it("refuses new tasks, says what is left, ends once nothing is, and is undone", async () => {
  const { gateway, system, order, drain } = await openOffice();
  expect((await order("before")).status).toBe(202);
  const early = await drain("--within", "0", "--why", "upgrade");
  expect([early.code, early.stdout]).toEqual([1, expect.stringContaining("Left: 1 queued, 0 running")]);
  // Gateways obey within a second.
  await sleep(1500);
  const refused = await order("during");
  expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toEqual([
    503,
    "15",
    expect.objectContaining({ code: "intake_closed" }),
  ]);
  const ready = (await (await gateway.send("/readyz")).json()) as { status: string; parts: unknown[] };
  expect(ready.parts).toContainEqual(expect.objectContaining({ part: "intake", state: "failed" }));
  await system.start();
  const late = await drain("--within", "60");
  expect([late.code, late.stdout.trim().split("\n").at(-1)]).toEqual([
    0,
    expect.stringMatching(/No run is left/),
  ]);
  expect((await drain("--undo")).stdout).toContain("New tasks are taken again");
  await expect.poll(async () => (await order("during")).status).toBe(202);
});

const reportSchema = z.object({ sound: z.boolean(), findings: z.array(findingSchema) });

it("says what stands against a start: another format, messages that do not verify, agents that it does not know", async () => {
  const { system, order } = await openOffice();
  await order("waiting");
  const dataDir = temporaryFolder();
  const check = async (teams = "office") => {
    const { code, stdout } = await runCli(["upgrade", "check", "--json", "--data-dir", dataDir], {
      REDIS_URL: testRedisUrl(),
      SUTURE_PREFIX: system.store.keys.prefix,
      SUTURE_TEAMS: `tests/support/${teams}-team`,
    });
    const { findings } = reportSchema.parse(JSON.parse(stdout));
    return { code, states: Object.fromEntries(findings.map(({ check: name, state }) => [name, state])) };
  };
  expect(await check()).toMatchObject({
    code: 0,
    states: {
      "data format": "ok",
      "waiting messages": "open",
      "unverified cases": "ok",
      "live agents": "ok",
    },
  });
  mkdirSync(join(dataDir, "keys"));
  const master = join(dataDir, "keys", "master");
  writeFileSync(master, system.master);
  expect(await check()).toMatchObject({ code: 0, states: { "waiting messages": "ok" } });
  // With another master no message that waits would verify.
  writeFileSync(master, createMaster());
  expect(await check()).toMatchObject({ code: 1, states: { "waiting messages": "failed" } });
  await system.start();
  expect(await check("able")).toMatchObject({ states: { "live agents": "open" } });
  await system.store.redis.set(system.store.keys.dataFormat(), "2");
  expect(await check()).toMatchObject({ code: 1, states: { "data format": "failed" } });
});
