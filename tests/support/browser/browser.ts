import { chromium } from "playwright-core";
import type { Browser, BrowserContext, Locator, Page as Tab } from "playwright-core";
import { afterAll, expect, onTestFinished, vi } from "vitest";
import { findOnPath } from "../../../infra/redis/obtain-redis-server.ts";

/** Of each wait, in ms. The machine may be busy: a test fails on what does not happen, not on when it does. */
const WAIT = { timeout: 120_000, interval: 30 };

type Role = Parameters<Tab["getByRole"]>[0];

/** A page of a real browser. Its parts are found by role and accessible name. */
export class Page {
  /** Playwright's page, for what is not here. */
  readonly tab: Tab;
  readonly complaints: string[] = [];

  private constructor(tab: Tab) {
    this.tab = tab;
    tab.setDefaultTimeout(WAIT.timeout);
    tab.on("pageerror", (error) => this.complaints.push(String(error)));
  }

  static async open(context: BrowserContext): Promise<Page> {
    const page = new Page(await context.newPage());
    const log = await context.newCDPSession(page.tab);
    log.on("Log.entryAdded", ({ entry: { source, text } }) => {
      if (source === "security" || source === "violation") page.complaints.push(text);
    });
    await log.send("Log.enable");
    return page;
  }

  /** Opens another page of the same person. */
  beside(): Promise<Page> {
    return Page.open(this.tab.context());
  }

  async goTo(url: string): Promise<void> {
    await this.tab.goto(url, { waitUntil: "commit" });
  }

  /** Returns the visible text. */
  text(): Promise<string> {
    return this.tab.locator("body").innerText();
  }

  /** Waits until the page shows a text. */
  async reads(wanted: string | RegExp): Promise<void> {
    await expect.poll(() => this.text(), WAIT).toMatch(wanted);
  }

  /** Waits until the page no longer shows a text. */
  async readsNoMore(unwanted: string): Promise<void> {
    await expect.poll(() => this.text(), WAIT).not.toContain(unwanted);
  }

  /** Finds the first part with a role and a name; whatever is done with it waits for it. */
  part(role: Role, name: string | RegExp = ""): Locator {
    return this.all(role, name).first();
  }

  /** Returns the parts with a role and a name as they are now. */
  parts(role: Role, name: string | RegExp = ""): Promise<Locator[]> {
    return this.all(role, name).all();
  }

  async click(role: Role, name: string | RegExp): Promise<void> {
    await this.part(role, name).click();
  }

  /** Types into a field; again if the page rendered it anew meanwhile. */
  async write(name: string | RegExp, text: string, role: Role = "textbox"): Promise<void> {
    const field = this.part(role, name);
    await vi.waitFor(async () => {
      await field.fill(text);
      expect(await field.inputValue()).toBe(text);
    }, WAIT);
  }

  /** Waits until `ask` returns true. */
  async until(ask: () => Promise<boolean>, what: string): Promise<void> {
    await expect.poll(ask, { ...WAIT, message: what }).toBe(true);
  }

  private all(role: Role, name: string | RegExp): Locator {
    return this.tab.getByRole(role, name === "" ? {} : { name, exact: true });
  }
}

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

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];

const executablePath = findBrowser();

/** The browser of this test file, which starts at the first use. */
let running: Promise<Browser> | undefined;

afterAll(async () => (await running)?.close());

/** Opens a page with a profile of its own, until the test ends. @throws where no browser is installed. */
export async function openPage(): Promise<Page> {
  if (executablePath === null)
    throw new Error("No Chromium was found: install one, or name it in SUTURE_BROWSER.");
  running ??= chromium.launch({ executablePath, args: FLAGS, timeout: START_MS_MAX });
  const context = await (await running).newContext({ viewport: VIEWPORT });
  onTestFinished(() => context.close());
  return Page.open(context);
}

/** A browser for the Chrome DevTools protocol: `SUTURE_BROWSER`, else of the PATH; null for none. */
function findBrowser(): string | null {
  const named = process.env["SUTURE_BROWSER"];
  if (named !== undefined && named !== "") return named;
  for (const name of NAMES) {
    const found = findOnPath(name);
    if (found !== null) return found;
  }
  return null;
}
