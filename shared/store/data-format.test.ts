import { expect, it } from "vitest";
import { openTestStore } from "#shared/testing";
import { checkDataFormat, DATA_FORMAT } from "./data-format.ts";

const agent = {
  agent: "triage@1",
  version: 1,
  team: "support",
  accepts: "mail@1",
  capabilities: [],
  description: "",
  concurrency: 1,
  instance: "i",
  pid: 1,
  started_ms: 0,
};

it("marks an empty store once, for all processes that start at the same time", async () => {
  const store = openTestStore();
  await Promise.all(Array.from({ length: 5 }, () => checkDataFormat(store)));
  expect(await store.redis.get(store.keys.dataFormat())).toBe(String(DATA_FORMAT));
  await store.registry.announce([agent]);
  await checkDataFormat(store);
});

it.each(["1", String(DATA_FORMAT + 1), "soon"])(
  "refuses data of format %s, and says what to do",
  async (format) => {
    const store = openTestStore();
    await store.redis.set(store.keys.dataFormat(), format);
    const refused = { code: "STORE_UNFIT", remedy: expect.stringContaining("SUTURE_PREFIX") };
    await expect(checkDataFormat(store)).rejects.toMatchObject(refused);
    expect(await store.redis.get(store.keys.dataFormat())).toBe(format);
  },
);

it("takes agents without a mark for data of a release before 0.2, and leaves them unmarked", async () => {
  const store = openTestStore();
  await store.registry.announce([agent]);
  await expect(checkDataFormat(store)).rejects.toThrow(/holds data of format 1/);
  expect(await store.redis.exists(store.keys.dataFormat())).toBe(0);
});
