import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Devtools } from "./devtools.ts";
import { findBrowser } from "./find-browser.ts";
import { Page } from "./page.ts";

/** Nothing of a person's profile, no request of the browser's own, no address but this machine's. */
const FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-extensions",
  "--disable-sync",
  "--metrics-recording-only",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
  "--remote-debugging-port=0",
];

/** True where no browser is installed: the stories then cannot be told, and vitest says that they were skipped. */
export const hasNoBrowser = findBrowser() === null;

/** A real browser for one test, with a profile of its own. It ends with the test. */
export async function openBrowser(): Promise<{ newPage: () => Promise<Page> }> {
  const folder = await mkdtemp(join(tmpdir(), "suture-browser-"));
  const child = spawn(findBrowser() ?? "", [...FLAGS, `--user-data-dir=${folder}`, "about:blank"], {
    stdio: "ignore",
    detached: true,
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  onTestFinished(async () => {
    // The whole group: a browser is many processes.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const devtools = await Devtools.connect(await readAddress(folder));
  onTestFinished(() => devtools.close());
  return { newPage: () => Page.open(devtools) };
}

/** A busy machine may take a minute to start a browser. */
const START_MS_MAX = 180_000;
const LOOK_EVERY_MS = 100;

/** Where the browser says that it listens. */
async function readAddress(folder: string): Promise<string> {
  const deadline = performance.now() + START_MS_MAX;
  while (performance.now() < deadline) {
    const text = await readFile(join(folder, "DevToolsActivePort"), "utf8").catch(() => "");
    const [port, path] = text.split("\n");
    if (path !== undefined) return `ws://127.0.0.1:${port}${path}`;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  throw new Error("the browser did not start");
}
