import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "vitest";
import { openSurgeonTestSystem } from "../../services/surgeon/testing/surgeon-test-system.ts";
import { STORY_MS, visitConsole } from "../support/browser/open-console-page.ts";
import { seedCases } from "../support/browser/seed-ward.ts";

/** Folder for the pictures of the documentation. Unset: none is taken. */
const FOLDER = process.env["SUTURE_PICTURES"] ?? "";
const WAITING = "reply/content_error/4be0a7";

test.skipIf(FOLDER === "")("pictures of the documentation", { timeout: STORY_MS }, async () => {
  const system = await openSurgeonTestSystem({
    handle: (refund, ctx) => ctx.complete({ order_id: refund.order_id }),
  });
  await system.start({ ratesEveryMs: 20 });
  system.startSurgeon();
  const { console, page, goTo } = await visitConsole("admin", [], system);
  const made = { agent: "refunds", contract: "refund@2", producer: "export@4|refund@2|gpt-5-mini|7" };
  await seedCases(console.store, 9, { fingerprint: "refunds/validation_error/9c21f4", ...made });
  await seedCases(console.store, 4, { fingerprint: WAITING, agent: "reply", costMicro: 21_000 });
  await console.store.cases.groups.mark(WAITING, { lifecycle: "acknowledged", by: "ada", why: "asked" });
  for (let n = 0; n < 12; n += 1)
    await system.until((await system.submit({ order_id: `A-10${10 + n}`, seats: 2, reason: "late" })).runId);
  // First aid heals the one; the other lacks what nobody can know.
  const healed = await system.submit(
    `Here you are:\n{'order_id': 'A-1234', 'seats': "2", 'reason': "LATE!"}`,
  );
  await system.until(healed.runId);
  const { case_id: healedCase } = await system.untilCase(
    healed.runId,
    ({ status }) => status === "discharged",
  );
  const open = await system.submit({ order_id: "A-7777", reason: "late" });
  const waits = await system.untilCase(open.runId, ({ status }) => status === "quarantined");
  const places = [
    ["home", "/", "needs? you"],
    ["group", `/inbox/group/${encodeURIComponent(waits.fingerprint)}`, "How it stands"],
    ["case", `/inbox/case/${healedCase}`, "What was tried"],
    ["run", `/runs/${healed.runId}`, "Where its time went"],
    ["flow", "/flow", "Flow"],
    ["audit", "/audit", "Audit"],
  ] as const;
  for (const [name, place, told] of places) {
    await goTo(place);
    await page.reads(new RegExp(told));
    await page.tab.waitForLoadState("networkidle");
    await writeFile(join(FOLDER, `${name}.png`), await page.tab.screenshot());
  }
});
