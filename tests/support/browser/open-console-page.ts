import type { Team } from "#shared/runtime";
import type { TestSystem } from "#shared/testing";
import type { AttachedQueue } from "../../../services/console/attached/attached-queues.ts";
import { SECRETS, startTestConsole } from "../../../services/console/testing/start-test-console.ts";
import type { TestConsole } from "../../../services/console/testing/start-test-console.ts";
import { startRealSurgeon } from "../operate-on.ts";
import { openPage } from "./browser.ts";
import type { Page } from "./browser.ts";

/** Longest time of one story, in ms: the machine may be busy. */
export const STORY_MS = 600_000;

/** Address of the page that shows traces, in every visit. */
export const TRACE_URL = "https://traces.example.org/trace/{trace_id}";

/** The console, a browser, and somebody of a role who is logged in on its page. */
export interface Visit {
  readonly console: TestConsole;
  readonly page: Page;
  /** Another page, of another person. */
  readonly enter: (role: "viewer" | "operator" | "admin") => Promise<Page>;
  /** Leads the page to a place of the console, `/inbox` for example. */
  readonly goTo: (place: string) => Promise<void>;
}

/** On the page of the login: ends on the page that asked for it. */
export async function logIn(page: Page, role: "viewer" | "operator" | "admin"): Promise<void> {
  await page.write("API key", SECRETS[role]);
  await page.click("button", "Log in");
  await page.part("heading", "Home").waitFor();
}

/**
 * @param role - Default: admin.
 * @param teams - Shown beside the one at work. Default: none.
 * @param system - Whose ward is shown. Default: a test system of its own with the team `orders`.
 * @param attached - Queues that are shown beside the teams. Default: none.
 */
export async function visitConsole(
  role: "viewer" | "operator" | "admin" = "admin",
  teams: readonly Team[] = [],
  system?: TestSystem,
  attached?: readonly AttachedQueue[],
): Promise<Visit> {
  const console = await startTestConsole({}, teams, system, attached, { traceUrl: TRACE_URL });
  const enter: Visit["enter"] = async (as) => {
    const page = await openPage();
    await page.goTo(`${console.url}/login`);
    await logIn(page, as);
    return page;
  };
  const page = await enter(role);
  const goTo: Visit["goTo"] = (place) => page.goTo(console.url + place);
  return { console, page, enter, goTo };
}

/** As `visitConsole` for an operator, with the agents and the real surgeon at work. */
export async function visitWard(): Promise<Visit> {
  const visit = await visitConsole("operator");
  await visit.console.system.start();
  startRealSurgeon(visit.console);
  return visit;
}

/** Replaces the value in the editor that is open. */
export async function writeValue(page: Page, value: unknown, name = /value/i): Promise<void> {
  await page.part("textbox", name).focus();
  await page.tab.keyboard.press("Control+a");
  await page.tab.keyboard.insertText(JSON.stringify(value, null, 2));
}

/** Presses a button that asks why in a dialog, and does it. */
export async function doWithReason(page: Page, button: RegExp, why: string): Promise<void> {
  await page.click("button", button);
  await page.write(/^Why/, why);
  await page.part("dialog").getByRole("button", { name: button }).click();
}
