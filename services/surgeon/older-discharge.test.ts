import { expect, it } from "vitest";
import { createDischarge } from "#shared/envelope";
import { digestOf, seal } from "#shared/envelope/seals";
import { decide } from "#shared/ward/decisions";
import { openSurgeonTestSystem } from "./testing/surgeon-test-system.ts";

it("waits at its receiver when an older surgeon sent it without the first message's seal, and a person's release sends it", async () => {
  const system = await openSurgeonTestSystem();
  const { handled, startSurgeon, untilCase } = system;
  const { store, keyring } = system;
  await system.start();
  const { runId, envelope: dead } = await system.submit({ order_id: "A-1234", seats: "3" });
  const { case_id } = await untilCase(runId, ({ status }) => status === "admitted");
  const envelope = createDischarge({
    dead,
    deadDigest: digestOf(JSON.stringify(dead)),
    operation: "older",
    caseId: case_id,
    payload: { order_id: "A-1234", seats: 3 },
    diedAtMs: Date.parse(dead.meta.timestamp),
  });
  const { message_id } = envelope.meta;
  const from = await store.cases.get(case_id);
  await store.cases.write({
    caseId: case_id,
    expectedVersion: from.version,
    status: "discharged",
    fingerprint: from.fingerprint,
    sets: { discharged_as: message_id, operations: "1" },
    outbox: null,
    audit: null,
  });
  const { message } = seal({ envelope, queue: "desk", key: keyring.signing("surgeon", "desk") });
  await store.queues.of("desk", "fresh").add("m", { ...message }, { jobId: message_id });
  const waiting = await untilCase(runId, (one) => one.status === "quarantined" && one.messages === 2);
  expect(waiting).toMatchObject({ case_id, failure_class: "untrusted", message_id });
  expect(handled).toEqual([]);
  startSurgeon();
  await decide(system, { case_id, decision: "release", by: "ada", why: "sent before the upgrade" });
  await expect.poll(() => handled, { timeout: 60_000 }).toEqual([{ order_id: "A-1234", seats: 3 }]);
});

it("goes on from the steps of its own dead message, and of no other that has its id", async () => {
  const system = await openSurgeonTestSystem({
    handle: async (_input, ctx) => {
      await ctx.step("looked up", async () => "a secret of this message");
      throw new TypeError("a bug");
    },
  });
  const { untilCase } = system;
  await system.start();
  const { runId, envelope } = await system.submit({ order_id: "A-1234", seats: 3 });
  await untilCase(runId, ({ status }) => status === "admitted");
  const { message_id: messageId } = envelope.meta;
  const own = digestOf(JSON.stringify(envelope));
  const steps = (digest: string) => system.store.ledger.stepsOf("desk", { messageId, digest });
  expect([...(await steps(own))]).toEqual([["step/looked up", '"a secret of this message"']]);
  expect([...(await steps(digestOf("another message under its id")))]).toEqual([]);
});

it("heals a message that is stored packed", async () => {
  const system = await openSurgeonTestSystem();
  const { handled, startSurgeon } = system;
  await system.start();
  startSurgeon();
  const history = Array.from({ length: 3 }, (_, n) => ({
    role: "user" as const,
    content: `${n} ${"some words ".repeat(4000)}`,
  }));
  const { runId } = await system.submit({ order_id: "A-1234", seats: "3" }, { conversation: { history } });
  expect((await system.until(runId)).status).toBe("completed");
  expect(handled).toEqual([{ order_id: "A-1234", seats: 3 }]);
});
