import { expect, test, vi } from "vitest";
import { startTestConsole } from "./testing/start-test-console.ts";

test("a group that is looked after until a time needs somebody again from then on, or once it is reopened", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const { fingerprint } = await console.admit({ order_id: "AB-7", note: "no amount" });
  const group = `/v1/ward/groups/${encodeURIComponent(fingerprint)}`;
  const attention = async (): Promise<unknown> =>
    ((await (await console.send(group)).json()) as { attention: unknown }).attention;
  const before = await attention();
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const marked = await console.post(`${group}/acknowledge`, { until: tomorrow, why: "waits for the shop" });
  expect(await marked.json()).toMatchObject({ acknowledged_until_ms: Date.parse(tomorrow) });
  expect(await attention()).toBe("looked_after");
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: Date.now() + 90_000_000 });
  expect(await attention()).toBe(before);
  vi.useRealTimers();
  await console.post(`${group}/reopen`, {});
  expect(await (await console.send(group)).json()).toMatchObject({ acknowledged_until_ms: null });
  const never = await console.post(`${group}/acknowledge`, { until: "next week" });
  expect(await never.json()).toMatchObject({ status: 422, errors: [{ pointer: "/until" }] });
});
