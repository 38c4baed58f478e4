import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";

const Note = contract("note@1", z.object({ text: z.string() }));
const calls: string[] = [];
const first = agent("first@1", {
  accepts: Note,
  to: { second: Note },
  handle: (note, ctx) => {
    calls.push("first");
    return ctx.handoff("second", note);
  },
});
const second = agent("second@1", { accepts: Note, handle: (note, ctx) => ctx.complete(note.text) });

it("delivers what a worker committed and did not live to deliver, without running it again", async () => {
  const system = createTestSystem(team("pair", [first, second]), { store: { handover: "outbox" } });
  const { outbox } = system.store;
  const deliver = outbox.deliver.bind(outbox);
  const { runId } = await system.submit({ text: "hello" });
  // Between its commit and its deliveries this worker is as good as dead: nothing goes out by its own hand.
  outbox.deliver = () => Promise.reject(new Error("gone"));
  onTestFinished(() => {
    outbox.deliver = deliver;
  });
  const doomed = await system.start({ only: ["first"] });
  await expect.poll(() => outbox.pending("first")).toBe(1);
  await doomed.stop(0);
  outbox.deliver = deliver;
  await system.start();
  expect(await system.until(runId)).toMatchObject({ status: "completed", result: "hello" });
  expect(calls).toEqual(["first"]);
  await expect.poll(() => outbox.pending("first")).toBe(0);
});
