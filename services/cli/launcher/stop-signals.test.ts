import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sleep } from "#shared/clock";

/** A command that says when it is asked to stop, and takes a while to. */
const SCRIPT = `import { endOnClosedOutput, listenForStop } from ${JSON.stringify(join(import.meta.dirname, "stop-signals.ts"))};
endOnClosedOutput();
const { signal } = listenForStop(() => process.exit(9));
setInterval(() => process.stdout.write("."), 20);
process.stdout.write("ready");
await new Promise((resolve) => signal.addEventListener("abort", resolve));
process.stdout.write("stopping");
setTimeout(() => process.exit(0), 2500);`;

async function start() {
  const child = spawn(process.execPath, ["--disable-sigusr1", "--input-type=module", "--eval", SCRIPT], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stdout.on("data", (chunk) => (said += String(chunk)));
  await expect.poll(() => said).toContain("ready");
  const ended = once(child, "exit").then(([code]) => code as number | null);
  return { child, ended, said: () => said };
}

it("takes two signals in a moment, as npm sends them, for one", async () => {
  const { child, ended } = await start();
  child.kill("SIGINT");
  await sleep(1);
  child.kill("SIGINT");
  expect(await ended).toBe(0);
});

it("is forced by a second signal that a person sends", async () => {
  const { child, ended, said } = await start();
  child.kill("SIGINT");
  await expect.poll(said).toContain("stopping");
  await sleep(700);
  child.kill("SIGINT");
  expect(await ended).toBe(9);
});

it("stops cleanly when nobody reads its output any more", async () => {
  const { child, ended } = await start();
  child.stdout.destroy();
  expect(await ended).toBe(0);
});
