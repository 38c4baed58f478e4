import { expect, it } from "vitest";
import { openTestStore } from "#shared/testing";
import { judgeStore } from "./index.ts";

it("tells a Redis that works from one that is full and one that is not there", async () => {
  const store = openTestStore();
  expect(await judgeStore(store)).toBe("ready");
  expect(await judgeStore(store, { memoryShareMax: 1 })).toBe("ready");
  expect(await judgeStore(store, { memoryShareMax: 0 })).toBe("store_full");
  const away = openTestStore({ url: "redis://127.0.0.1:9" });
  const askedMs = performance.now();
  expect(await judgeStore(away)).toBe("store_unreachable");
  expect(performance.now() - askedMs).toBeLessThan(2000);
});
