import { describe, expect, test } from "vitest";
import { hasNoBrowser } from "../support/browser/open-browser.ts";
import { STORY_MS, visitConsole } from "../support/browser/open-console-page.ts";
import { startRealSurgeon } from "../support/start-real-surgeon.ts";

const ORDER = { order_id: "A-1", amount: 12.5, note: "by wire" };

describe.skipIf(hasNoBrowser)(
  "a tool call that waits for a person, in a real browser",
  { timeout: STORY_MS },
  () => {
    test.each([
      ["Approve this call", "Approved: the agent goes on", { booked: "A-1", amount: 12.5 }],
      ["Refuse this call", "Refused: the agent goes on without it", { refused: "asked the customer" }],
    ])("%s, with a reason, and the agent goes on with that", async (button, said, result) => {
      const { console, page, goTo } = await visitConsole("operator");
      await console.system.start();
      startRealSurgeon(console);
      const waiting = await console.admit(ORDER);
      await goTo(`#case/${waiting.case_id}`);
      await page.reads("con-book asks before it runs wire");
      await page.reads('"amount": 12.5');
      expect(await page.text()).not.toContain("Release");
      await page.click("button", button);
      await page.reads("Say why first");
      await page.write("Why the call may run or may not", "asked the customer");
      await page.click("button", button);
      await page.reads(said);
      expect((await console.system.until(waiting.run_id)).result).toEqual(result);
      expect(page.complaints).toEqual([]);
    });
  },
);
