import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMaster, issueKeyring } from "#shared/envelope/keys";
import { edgesOf } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { testPrefix, testRedisUrl, temporaryFolder } from "#shared/testing";

/** The real process, with everything it makes by itself in a folder of its own. */
async function startProcess(dataDir: string, prefix: string) {
  const child = spawn(process.execPath, ["services/gateway/main.ts"], {
    env: {
      ...process.env,
      REDIS_URL: testRedisUrl(),
      SUTURE_PREFIX: prefix,
      SUTURE_DATA_DIR: dataDir,
      SUTURE_GATEWAY_PORT: "0",
      LOG_LEVEL: "info",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const url = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += String(chunk);
      const found = /"url":"([^"]+)"/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    void exited.then((code) => reject(new Error(`ended with ${code} before it listened`)));
  });
  return { child, url, exited };
}

describe("the gateway as a process", () => {
  it("makes its API key once, takes requests, and ends at once and cleanly on SIGTERM", async () => {
    const dataDir = temporaryFolder();
    const edges = edgesOf(await loadTeams("services/agents"));
    const keyring = issueKeyring({ master: createMaster(), agent: "gateway", edges });
    await mkdir(join(dataDir, "keys"), { mode: 0o700 });
    await writeFile(join(dataDir, "keys", "gateway.json"), keyring.exportJson(), { mode: 0o600 });
    const prefix = testPrefix();
    // Two at once: both must come to hold the same secrets.
    const running = await Promise.all([startProcess(dataDir, prefix), startProcess(dataDir, prefix)]);
    const secret = (await readFile(join(dataDir, "keys", "api-keys"), "utf8")).trim().split(":")[2] ?? "";
    for (const { url } of running) {
      const reply = await fetch(`${url}/v1/teams`, { headers: { authorization: `Bearer ${secret}` } });
      expect(reply.status).toBe(200);
    }
    const startedMs = performance.now();
    for (const { child } of running) child.kill("SIGTERM");
    expect(await Promise.all(running.map(({ exited }) => exited))).toEqual([0, 0]);
    expect(performance.now() - startedMs).toBeLessThan(9000);
  });
});
