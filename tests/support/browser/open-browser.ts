import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";
import { afterAll, onTestFinished } from "vitest";
import { findBrowser } from "./find-browser.ts";
import { Page } from "./page.ts";

/** No request of the browser's own, no address but this machine's. */
const FLAGS = [
  "--disable-gpu",
  "--disable-sync",
  "--metrics-recording-only",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/** Viewport in px. */
const VIEWPORT = { width: 1360, height: 900 };

/** A busy machine may take minutes to start a browser. */
const START_MS_MAX = 180_000;

const executablePath = findBrowser();

/** True where no browser is installed: vitest then reports the suites as skipped. */
export const hasNoBrowser = executablePath === null;

/** The browser of this test file, which starts at the first use. */
let running: Promise<Browser> | undefined;

afterAll(async () => (await running)?.close());

/** Opens a page of a new person: with a profile of its own, in a real browser. It closes with the test. */
export async function openPage(): Promise<Page> {
  running ??= chromium.launch({ executablePath: executablePath ?? "", args: FLAGS, timeout: START_MS_MAX });
  const context = await (await running).newContext({ viewport: VIEWPORT });
  onTestFinished(() => context.close());
  return Page.open(context);
}
