import { expect, test } from "vitest";
import { startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";
import {
  SECRETS as CONSOLE_SECRETS,
  startTestConsole,
} from "../services/console/testing/start-test-console.ts";
import { runCli } from "./support/run-cli.ts";

test("makes, lists and revokes keys of a running gateway, shows a secret once, and has it written down", async () => {
  const gateway = await startTestGateway();
  const console = await startTestConsole({}, [], gateway.system);
  const to = ["--console-url", console.url, "--key", CONSOLE_SECRETS.admin];
  const wanted = ["--tenant", "acme", "--scope", "submit", "--teams", "gw-chain", "--running-runs", "1"];
  const made = await runCli([
    "api-keys",
    "create",
    "shop",
    ...wanted,
    "--expires",
    "2099-01-01T00:00:00Z",
    ...to,
  ]);
  expect(made).toMatchObject({ code: 0, stderr: "" });
  const secret = /^suture_[\w-]{43}$/m.exec(made.stdout)?.[0] ?? "";
  const submit = (): Promise<Response> =>
    gateway.post(
      "/v1/tasks",
      { team: "gw-chain", input: { text: "x" } },
      { authorization: `Bearer ${secret}` },
    );
  await expect.poll(async () => (await submit()).status, { timeout: 60_000 }).toBe(202);
  expect((await submit()).status).toBe(429);
  const listed = await runCli(["api-keys", "list", ...to]);
  expect(listed.stdout).toMatch(
    /acme\/shop +acme +submit +gw-chain +running_runs 1 +running_runs 1, waiting_runs 1, cost_today 0 +2099-01-01T00:00:00.000Z +ada/,
  );
  expect(listed.stdout).not.toContain(secret);
  expect(await runCli(["api-keys", "revoke", "acme/shop", ...to])).toMatchObject({ code: 0 });
  await expect.poll(async () => (await submit()).status, { timeout: 60_000 }).toBe(401);
  expect(await runCli(["api-keys", "revoke", "acme/shop", ...to])).toMatchObject({ code: 2 });
  const refused = await runCli(["api-keys", "create", "x", "--scope", "root", ...to]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("/scope");
  const { stdout } = await runCli(["audit", "export", ...to]);
  expect(stdout).toContain('"action":"api-key.create"');
  expect(stdout).toContain('"action":"api-key.revoke"');
  expect(stdout).not.toContain(secret);
  expect(await runCli(["audit", "verify", ...to])).toMatchObject({ code: 0 });
});
