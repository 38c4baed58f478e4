import { expect, it } from "vitest";
import { z } from "zod";
import { now } from "#shared/clock";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";

const Note = contract("note@1", z.object({ text: z.string() }));
const last = agent("last@1", { accepts: Note, handle: (_, ctx) => ctx.complete(null) });

it("relays what a worker left behind whose clock was two hours ahead", async () => {
  const { store } = createTestSystem(team("one", [last]));
  const entry = { id: "left", at_ms: now() + 2 * 3_600_000, changes: [], sends: [], admissions: [] };
  await store.redis.hset(store.keys.outbox("last"), entry.id, JSON.stringify(entry));
  expect(await store.settlement.relay("last", 0)).toBe(1);
});
