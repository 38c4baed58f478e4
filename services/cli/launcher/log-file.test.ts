import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "#shared/testing";
import { limitLog } from "./supervisor.ts";

it("bounds the log of a process that never ends, which goes on writing", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "x.log");
  const log = openSync(file, "a", 0o600);
  const child = spawn(process.execPath, ["-e", "setInterval(() => console.log('x'.repeat(999)), 1)"], {
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const bytes = (): number => statSync(file).size;
  expect(limitLog(file, 20_000)).toBe(false);
  expect(existsSync(`${file}.1`)).toBe(false);
  for (let time = 0; time < 2; time += 1) {
    await expect.poll(bytes, { timeout: 60_000 }).toBeGreaterThan(20_000);
    expect(limitLog(file, 20_000)).toBe(true);
    expect(statSync(`${file}.1`).size).toBeGreaterThan(20_000);
  }
  await expect.poll(bytes, { timeout: 60_000 }).toBeGreaterThan(0);
});
