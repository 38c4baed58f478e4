import { expect, test } from "vitest";
import { SECRETS, startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";
import { runCli } from "./support/run-cli.ts";

test("makes, lists and revokes keys of a running gateway, and shows a secret once", async () => {
  const gateway = await startTestGateway();
  const to = ["--gateway-url", gateway.url, "--key", SECRETS.admin];
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
  expect((await submit()).status).toBe(202);
  expect((await submit()).status).toBe(429);
  const listed = await runCli(["api-keys", "list", ...to]);
  expect(listed.stdout).toMatch(
    /acme\/shop +acme +submit +gw-chain +running_runs 1 +2099-01-01T00:00:00.000Z +a/,
  );
  expect(listed.stdout).not.toContain(secret);
  expect(await runCli(["api-keys", "revoke", "acme/shop", ...to])).toMatchObject({ code: 0 });
  expect((await submit()).status).toBe(401);
  expect(await runCli(["api-keys", "revoke", "acme/shop", ...to])).toMatchObject({ code: 2 });
  const refused = await runCli(["api-keys", "create", "x", "--scope", "root", ...to]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("/scope");
});
