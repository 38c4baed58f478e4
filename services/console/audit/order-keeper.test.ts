import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { orderPause } from "#shared/people";
import { createTestSystem } from "#shared/testing";
import { ordersTeam } from "../testing/orders-team.ts";
import { OrderKeeper } from "./order-keeper.ts";

test("remembers the newest order through a restart, and takes no forged one for newer", async () => {
  const { store, keyring } = createTestSystem(ordersTeam);
  const folder = await mkdtemp(join(tmpdir(), "suture-orders-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const parts = { store, keyring, logger: pino({ level: "silent" }), file: join(folder, "orders.json") };
  const about = "pause:con-book";
  await orderPause({ store, keyring }, { agent: "con-book", is_paused: false, by: "ada" });
  const older = (await store.orders.read())[about] ?? "";
  await orderPause({ store, keyring }, { agent: "con-book", is_paused: true, by: "ada" });
  const newer = (await store.orders.read())[about] ?? "";
  await (await OrderKeeper.open(parts)).round();
  const forged = JSON.stringify({ ...(JSON.parse(newer) as object), is_paused: false, at_ms: 9e15 });
  for (const planted of [older, forged, "{"]) {
    await store.orders.write(about, planted);
    const keeper = await OrderKeeper.open(parts);
    await keeper.round();
    expect((await store.orders.read())[about]).toBe(newer);
  }
  // What another console was told meanwhile is newer, and stays.
  await orderPause({ store, keyring }, { agent: "con-book", is_paused: false, by: "olga" });
  const newest = (await store.orders.read())[about];
  await (await OrderKeeper.open(parts)).round();
  expect((await store.orders.read())[about]).toBe(newest);
});
