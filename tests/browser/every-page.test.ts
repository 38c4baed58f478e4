import axe from "axe-core";
import { expect, test } from "vitest";
import type { Page } from "../support/browser/browser.ts";
import { STORY_MS, visitConsole } from "../support/browser/open-console-page.ts";
import { seedCases } from "../support/browser/seed-ward.ts";

const WIDTHS = [390, 1280, 1920];

/** Parts of a message that look like script, markup, a template or a terminal's escape. */
const HOSTILE = [
  "<img src=x onerror=document.title='taken'>",
  "<svg onload=document.title='taken'>",
  "<script>document.title='taken'</script>",
  "{{constructor.constructor('document.title=1')()}}",
  "\u001B]0;taken\u0007\u001B[31m",
].join(" ");

const PLACES = [
  ["/", "Home"],
  ["/inbox", "Inbox"],
  ["/inbox/group/GROUP", ""],
  ["/inbox/case/CASE", ""],
  ["/runs", "Runs"],
  ["/runs/RUN", ""],
  ["/agents", "Agents"],
  ["/agents/con-book", "con-book"],
  ["/flow", "Flow"],
  ["/queues", "Queues"],
  ["/recipes", "Recipes"],
  ["/cost", "Cost"],
  ["/audit", "Audit"],
  ["/settings", "Settings"],
  ["/login", "Log in"],
  ["/nowhere", ""],
] as const;

test.each(["light", "dark"] as const)(
  "every page at every width has nothing that axe finds, nothing that overflows, and runs nothing of a message: %s",
  { timeout: STORY_MS },
  async (colorScheme) => {
    const { console, page, goTo } = await visitConsole("admin");
    await console.system.start({ ratesEveryMs: 20 });
    await console.system.run({ order_id: "AB-1", amount: 1, note: HOSTILE });
    const made = await console.admit({ order_id: HOSTILE, amount: "many", [HOSTILE]: HOSTILE });
    await seedCases(console.store, 60, {
      fingerprint: "refunds/validation_error/9c21f4",
      diagnosis: HOSTILE,
      producer: `export@4|refund@2|${HOSTILE}|7`,
    });
    const receiver = { receiver: "ops", host: "ops.example.org", events: null, format: "standard" };
    await console.store.notices.show([receiver]);
    const tried = { id: "n1", type: "group.growing", at_ms: 1, attempts: 1, error: HOSTILE };
    await console.store.notices.note("ops", { ...tried, outcome: "will_be_sent_again" });
    await page.tab.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const [place, title] of PLACES) {
      const path = place
        .replace("CASE", encodeURIComponent(made.case_id))
        .replace("GROUP", encodeURIComponent(made.fingerprint))
        .replace("RUN", made.run_id);
      await goTo(path);
      await settled(page);
      expect.soft(await page.tab.title(), place).toMatch(title);
      expect.soft(await shiftOf(page), `${place} moved while it loaded`).toBeLessThan(SHIFT_MAX);
      for (const width of WIDTHS) {
        await page.tab.setViewportSize({ width, height: 860 });
        const where = `${place} at ${width} px`;
        expect
          .soft(await page.tab.evaluate("document.documentElement.scrollWidth - innerWidth"), where)
          .toBe(0);
        expect.soft(await faultsOf(page), where).toEqual([]);
      }
    }
    expect(await page.tab.title()).not.toContain("taken");
    expect(page.complaints).toEqual([]);
  },
);

/** Waits until a page has what it asked for. */
async function settled(page: Page): Promise<void> {
  await page.part("main").waitFor();
  await page.until(
    async () => (await page.tab.locator("[aria-busy=true]").count()) === 0,
    `${page.tab.url()} has loaded`,
  );
  await page.tab.waitForLoadState("networkidle");
}

/** Cumulative layout shift at which a page is felt to jump. */
const SHIFT_MAX = 0.05;

/** Returns how far the parts of a page were moved by others while it loaded, as the browser counts it. */
function shiftOf({ tab }: Page): Promise<number> {
  return tab.evaluate(`new Promise((resolve) => {
    const add = (list) => resolve(list.getEntries().reduce((sum, { value }) => sum + value, 0));
    new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve(0), 300);
  })`);
}

/** Findings of axe on a page, each with its first place. */
async function faultsOf(page: Page): Promise<string[]> {
  const found: { violations: { id: string; nodes: { target: string[]; failureSummary: string }[] }[] } =
    await page.tab.evaluate(`${axe.source}; axe.run(document)`);
  return found.violations.map(({ id, nodes: [first] }) =>
    [id, first?.target.join(" "), first?.failureSummary].join(": "),
  );
}
