import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, RUNTIME_LIMITS_DEFAULT, team } from "#shared/runtime";
import type { AgentOptions, Transitions } from "#shared/runtime";
import { RETRY_POLICY_DEFAULT } from "#shared/failure";
import { openModelSystem } from "./support/open-model-system.ts";

/** A model call that timed out comes again with a shorter input, in the parts alone that its step declares. */

const Question = contract("desk.question@1", z.object({ text: z.string() }));
const Reply = contract("desk.reply@1", z.object({ reply: z.string() }));

const TURNS = Array.from({ length: 40 }, (_, turn) => ({ said: `Turn ${turn}: where is order ${turn}?` }));
const NOTES = TURNS.map(({ said }) => `The customer wrote: ${said}`).join(" ");

const LIMITS = {
  ...RUNTIME_LIMITS_DEFAULT,
  modelTimeoutMs: 2_000,
  retry: { ...RETRY_POLICY_DEFAULT, delayMs: 10, delayMsMax: 20 },
};

/** A call that timed out may have been paid for. */
const AMPLE = { budget: { cost_limit: 1000, token_limit: 10_000_000 } };

async function open(
  shortens: readonly string[],
  more: Pick<AgentOptions<typeof Question, Transitions>, "needs" | "handlerTimeoutMs"> = {},
) {
  const desk = agent("desk@1", {
    accepts: Question,
    answers: [Reply],
    ...more,
    handle: async ({ text }, ctx) => {
      const input = { text, turns: TURNS, notes: NOTES, order: "A-1234" };
      return ctx.complete(
        await ctx.model("decide", { instructions: "Decide.", input, answers: Reply, shortens }),
      );
    },
  });
  const { system, endpoint } = await openModelSystem(team("help", [desk]), { limits: LIMITS });
  const seen: Record<string, unknown>[] = [];
  endpoint.behave = ({ body }) => {
    const content = body.messages.find(({ role }) => role === "user")?.content ?? "{}";
    seen.push(JSON.parse(content));
    // Too long an input takes longer than the time limit.
    return content.length > 2000 ? () => undefined : '{"reply":"ok"}';
  };
  return { system, seen };
}

it("sends less after each time-out, drops no member, leaves the rest alone, and records it", async () => {
  const { system, seen } = await open(["/turns", "/notes"]);
  const { runId, envelope } = await system.submit({ text: "Where is my order A-1234?" }, AMPLE);
  expect(await system.until(runId)).toMatchObject({ status: "completed", result: { reply: "ok" } });
  const sizes = seen.map((input) => JSON.stringify(input).length);
  expect(sizes.length).toBeGreaterThan(1);
  expect(sizes.toSorted((a, b) => b - a)).toEqual(sizes);
  const last = seen.at(-1) ?? {};
  expect(Object.keys(last)).toEqual(["text", "turns", "notes", "order"]);
  expect(last).toMatchObject({ text: "Where is my order A-1234?", order: "A-1234" });
  // The newest turns, and sentences of the notes as they stand there.
  const turns = z.array(z.unknown()).parse(last["turns"]);
  expect(turns).toEqual(TURNS.slice(-turns.length));
  expect(NOTES).toContain(String(last["notes"]).split("? ")[0]);
  const entry = await system.store.ledger.read("desk", envelope.meta.message_id);
  const call = entry?.steps.find(({ name }) => name === "call/decide/1");
  expect(JSON.parse(call?.result ?? "{}")).toMatchObject({
    shortened: [{ path: "/turns" }, { path: "/notes" }],
  });
});

it("sends the same input again where a step declares nothing", async () => {
  const { system, seen } = await open([]);
  await system.submit({ text: "Where is my order A-1234?" }, AMPLE);
  await expect.poll(() => seen.length, { timeout: 60_000 }).toBeGreaterThan(1);
  expect(new Set(seen.map((input) => JSON.stringify(input))).size).toBe(1);
});

const needs = {
  decide: { fields: ["/text", "/turns", "/notes", "/order"], shortens: ["/turns", "/notes"] },
};

it.each([
  ["the model", {}],
  ["the handler", { handlerTimeoutMs: 1_000 }],
])("sends less of what its needs declare where the time of %s was up", async (_, more) => {
  const { system, seen } = await open([], { needs, ...more });
  const { runId } = await system.submit({ text: "Where is my order A-1234?" }, AMPLE);
  expect(await system.until(runId)).toMatchObject({ status: "completed", result: { reply: "ok" } });
  const turns = seen.map((input) => z.array(z.unknown()).parse(input["turns"]).length);
  expect(turns[0]).toBe(TURNS.length);
  expect(turns[1]).toBeLessThan(TURNS.length);
  expect(seen.at(-1)).toMatchObject({ text: "Where is my order A-1234?", order: "A-1234" });
});
