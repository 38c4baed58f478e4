import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { chooseFreePort } from "../../infra/redis/redis-process.ts";
import { testPrefix, testRedisUrl } from "#shared/testing";
import { waitFor } from "./testing/start-test-console.ts";

const SECRET = "generated-secret-0123456789";

test("runs as a process with the keys and the link of its data folder, and stops when told to", async () => {
  const folder = await mkdtemp(join(tmpdir(), "suture-console-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "keys"));
  await writeFile(join(folder, "keys", "api-keys"), `local:admin:${SECRET}\n`);
  await writeFile(join(folder, "keys", "console-login"), "t".repeat(40));
  const port = await chooseFreePort(null);
  const child = spawn(process.execPath, ["services/console/main.ts"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      PATH: process.env["PATH"],
      REDIS_URL: testRedisUrl(),
      SUTURE_PREFIX: testPrefix(),
      SUTURE_DATA_DIR: folder,
      SUTURE_CONSOLE_PORT: String(port),
      LOG_LEVEL: "error",
    },
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const url = `http://127.0.0.1:${port}`;
  await waitFor(() =>
    fetch(`${url}/healthz`).then(
      (answer) => answer.ok,
      () => false,
    ),
  );
  const overview = await fetch(`${url}/v1/overview`, { headers: { authorization: `Bearer ${SECRET}` } });
  expect(await overview.json()).toMatchObject({ is_rehearsal: true, equation: { balanced: true } });
  const body = JSON.stringify({ token: "t".repeat(40) });
  const entered = await fetch(`${url}/v1/session`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json" },
  });
  expect(entered.status).toBe(200);
  // Started directly and without a key to sign with, it takes no decision, and says what would help.
  const refused = await fetch(`${url}/v1/ward/cases/x/discard`, {
    method: "POST",
    body: JSON.stringify({ why: "spam" }),
    headers: { "content-type": "application/json", authorization: `Bearer ${SECRET}` },
  });
  expect({ status: refused.status, ...((await refused.json()) as object) }).toMatchObject({
    status: 503,
    code: "decision_key_missing",
  });
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});
