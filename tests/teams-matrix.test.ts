import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { SECRETS, startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";
import { processEnv } from "./support/process-env.ts";

const run = promisify(execFile);

/** `npx suture …`, with an environment and nothing else. */
async function suture(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout } = await run(process.execPath, ["services/cli/main.ts", ...args], {
    env: { ...processEnv(), ...env },
    timeout: 60_000,
  });
  return stdout;
}

it("draws what every team declares, with nothing running", async () => {
  const drawn = await suture(["teams", "matrix", "--mermaid"]);
  expect(drawn).toContain('-->|"analysis_request: editorial.analysis-request@2"|');
  expect(drawn).toContain('-->|"task_delegation: refunds.request@2"|');
});

it("lists the matrix with what became of handoffs", async () => {
  const gateway = await startTestGateway();
  await gateway.system.start({ circuitsEveryMs: 20 });
  const { runId } = await gateway.system.submit({ text: "hello" });
  await gateway.system.until(runId);
  const args = ["teams", "matrix", "--gateway-url", gateway.url, "--key", SECRETS.viewer];
  const rowOf = async (): Promise<string> =>
    (await suture(args)).split("\n").find((line) => line.includes("gw-first  gw-last")) ?? "";
  await expect.poll(rowOf, { timeout: 60_000 }).toMatch(/gw\.length@1 +1 +0 +100\.0 %/);
}, 120_000);
