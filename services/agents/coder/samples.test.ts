import { expect, test } from "vitest";
import { openRuntime, openSetup, repairInMemory, SAMPLES } from "./testing/repair-in-memory.ts";

test.each(SAMPLES)(
  "a sample checkout turns green in a scratch copy, and its fix is accepted: $id",
  async ({ input }) => {
    const { result } = await repairInMemory(openRuntime(openSetup()), input);
    expect(result).toMatchObject({ status: "accepted", tests: { failed: 0 }, still_red: [] });
  },
  120_000,
);

test("a second round reads what the first one tried", async () => {
  const tariffs = SAMPLES.find(({ id }) => id === "tariffs");
  const { result } = await repairInMemory(openRuntime(openSetup()), tariffs?.input ?? {});
  expect(result).toMatchObject({ rounds: 2, tries: 2 });
}, 120_000);
