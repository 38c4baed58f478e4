import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { testRedisUrl } from "#shared/testing";
import { openTeam } from "#shared/testing/system";
import { processEnv } from "./support/process-env.ts";
import { runCli } from "./support/run-cli.ts";
import failing from "./support/failing-team/failing/team.ts";

/** A bug in a handler, as the four places show it in which its author looks. */

const FRAME = "totalOf (tests/support/failing-team/failing/team.ts:";
const THREW = "TypeError: Cannot read properties of undefined (reading 'total')";
const order = (how: string) => ({ how, customer: "Ada Lovelace", lines: [7] });

describe("a team under test", () => {
  it("has what failed, where in the code, and in which step or place of the data", async () => {
    const team = await openTeam(failing, { redisUrl: testRedisUrl() });
    onTestFinished(() => team.close());
    const run = await team.run(order("type"));
    expect(run).toMatchObject({ status: "in_ward", error: { code: "HANDLER_THREW" } });
    expect(run.failures).toHaveLength(2);
    expect(run.failures[0]).toMatchObject({ agent: "clerk@1", attempt: 1, step: "look-up" });
    expect(run.failures[0]?.message).toContain(THREW);
    expect(run.failures[0]?.stack?.[0]).toContain(FRAME);
    const checked = await team.run(order("check"));
    expect(checked.failures[0]?.issues).toMatchObject([{ path: "/lines/0", code: "invalid_type" }]);
    expect((await team.run(order("step"))).failures[0]).toMatchObject({ step: "price" });
    const refused = await team.run({ how: "type" });
    expect(refused.failures[0]?.issues.map(({ path }) => path)).toEqual(["/customer", "/lines"]);
  });
});

it("is told by `suture dev`, the log and `suture ward show`, and the log holds nothing of the payload", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "suture-handler-failure-"));
  const env = {
    ...processEnv(),
    SUTURE_DATA_DIR: dataDir,
    SUTURE_TEAMS: "tests/support/failing-team",
    SUTURE_RETRY_DELAY_MS: "50",
  };
  const ports = ["--port", "0", "--console-port", "0", "--rehearsal-port", "0"];
  const dev = spawn(process.execPath, ["--disable-sigusr1", "services/cli/main.ts", "dev", ...ports], {
    env,
  });
  let said = "";
  for (const stream of [dev.stdout, dev.stderr]) stream.on("data", (chunk) => (said += String(chunk)));
  onTestFinished(async () => {
    if (dev.exitCode === null && dev.kill("SIGTERM")) await once(dev, "exit");
    rmSync(dataDir, { recursive: true, force: true });
  });
  await expect.poll(() => said, { timeout: 120_000 }).toContain("Ready.");
  const task = join(dataDir, "task.json");
  for (const how of ["type", "step"]) {
    writeFileSync(task, JSON.stringify(order(how)));
    expect(await runCli(["submit", "failing", "--input", task], env)).toMatchObject({ code: 0, stderr: "" });
  }
  await expect.poll(() => said).toContain(FRAME);
  await expect.poll(() => said).toContain("step price");
  expect(said).toContain(THREW);
  expect(said).not.toContain("Ada");
  const logs = join(dataDir, "logs");
  const log = readdirSync(logs)
    .filter((name) => name.startsWith("agents"))
    .map((name) => readFileSync(join(logs, name), "utf8"))
    .join("");
  expect(log).toContain(THREW);
  expect(log).toContain(FRAME);
  expect(log).toContain('no price for \\"[hidden]\\" of [hidden]');
  expect(log).not.toContain("Ada");
  const find = async (): Promise<string | undefined> => {
    const { stdout } = await runCli(["ward", "ls", "--json"], env);
    const cases: readonly { readonly case_id: string; readonly fingerprint: string }[] =
      JSON.parse(stdout).cases;
    return cases.length === 2 ? cases[1]?.case_id : undefined;
  };
  await expect.poll(find).toBeDefined();
  const { stdout } = await runCli(["ward", "show", (await find()) ?? ""], env);
  const { failures } = JSON.parse(stdout).message;
  expect(failures[0]).toMatchObject({ step: "look-up", message: expect.stringContaining(THREW) });
  expect(failures[0].stack[0]).toContain(FRAME);
});
