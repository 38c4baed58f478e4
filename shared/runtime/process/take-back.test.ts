import { expect, it } from "vitest";
import { z } from "zod";
import { now } from "#shared/clock";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";

const Note = contract("note@1", z.object({ n: z.number() }));

it("forgets overdue handoffs that were delivered and whose jobs are gone, behind any number of undelivered ones", async () => {
  const first = agent("first@1", {
    accepts: Note,
    to: { second: Note },
    handle: (note, ctx) => ctx.handoff("second", note),
  });
  const second = agent("second@1", { accepts: Note, handle: (_, ctx) => ctx.complete(null) });
  const system = createTestSystem(
    team("pair", [first, second], { acknowledgeWithinMs: { "first>second": 60_000 } }),
  );
  const { store } = system;
  const { ledgerLifeMs } = store.options;
  const undelivered = Array.from({ length: 150 }, (_, n) => ({ messageId: `u${n}`, agent: "second" }));
  await store.acknowledgements.expect(
    "first",
    undelivered.map((one) => ({ ...one, dueMs: now() - 10_000 })),
  );
  await store.acknowledgements.expect("first", [
    { messageId: "settled", agent: "second", dueMs: now() - 1 },
    { messageId: "forgotten", agent: "second", dueMs: now() - ledgerLifeMs - 10_000 },
  ]);
  await store.redis.hset(store.keys.ledger("second", "settled"), "outcome", "{}");
  await system.start({ only: ["first"] });
  const waiting = (): Promise<string[]> =>
    store.redis.zrange(store.keys.acknowledgements("first"), "0", "-1");
  await expect.poll(waiting, { timeout: 60_000 }).toHaveLength(undelivered.length);
  expect((await waiting()).toSorted()).toEqual(
    undelivered.map((one) => `${one.messageId}|second`).toSorted(),
  );
});
