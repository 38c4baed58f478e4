import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { RETRY_POLICY_DEFAULT } from "#shared/failure";
import { agent, RUNTIME_LIMITS_DEFAULT, team } from "#shared/runtime";
import type { AgentOptions, Transitions } from "#shared/runtime";
import { serveHttp } from "#shared/testing";
import { repairWith, openSurgeonAtWork } from "../services/surgeon/testing/surgeon-test-system.ts";
import { openModelSystem } from "./support/open-model-system.ts";

/** Answers that are cut off are asked for again with more room, within the run's budget, and each is paid once. */

const Mail = contract("clerk.mail@1", z.object({ text: z.string() }));
const Letter = contract("clerk.letter@1", z.object({ route: z.string(), words: z.array(z.string()) }));
const ANSWER = JSON.stringify({ route: "sales", words: Array.from({ length: 60 }, (_, n) => `word-${n}`) });

const clerk = agent("clerk@1", {
  accepts: Mail,
  answers: [Letter],
  handle: async (mail, ctx) =>
    ctx.complete(
      await ctx.model("write", { instructions: "Write.", input: mail, answers: Letter, tokensMax: 100 }),
    ),
});
const office = team("office", [clerk]);

/** Sends what fits into the bound: 400 tokens for reasoning, then the answer, four characters a token. */
function speakWithin(limit: number): (response: ServerResponse) => void {
  const text = ANSWER.slice(0, Math.max(0, limit - 400) * 4);
  const isCutOff = text.length < ANSWER.length;
  const usage = {
    prompt_tokens: 50,
    completion_tokens: Math.min(limit, 400) + Math.ceil(text.length / 4),
    completion_tokens_details: { reasoning_tokens: Math.min(limit, 400) },
  };
  return (response) => {
    const choice = { finish_reason: isCutOff ? "length" : "stop", message: { content: text } };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ choices: [choice], usage }));
  };
}

async function open() {
  const opened = await openModelSystem(office);
  const limits: number[] = [];
  opened.endpoint.behave = ({ body }) => {
    const limit = limitOf(body);
    limits.push(limit);
    return speakWithin(limit);
  };
  return { ...opened, limits };
}

function limitOf(body: object): number {
  return "max_completion_tokens" in body ? Number(body.max_completion_tokens) : Infinity;
}

it("asks again with twice the room until the answer is whole, and bills each call once", async () => {
  const { system, limits } = await open();
  const run = await system.run({ text: "hello" });
  expect(run).toMatchObject({ status: "completed", result: { route: "sales" } });
  expect(limits).toEqual([100, 200, 400, 800]);
  // 50 tokens in for each of four calls, and 100, 200, 400 and 400 + the answer out.
  expect(run.tokens).toBe(4 * 50 + 700 + 400 + Math.ceil(ANSWER.length / 4));
});

it("pays for no answer twice when the worker dies between the cut answer and the next", async () => {
  const { system, endpoint, limits } = await open();
  const { behave } = endpoint;
  let failures = 0;
  endpoint.behave = (request) => {
    if (limitOf(request.body) !== 400 || failures === 2) return behave(request);
    failures += 1;
    return (response) => response.writeHead(503).end();
  };
  const run = await system.run({ text: "hello" });
  expect(failures).toBe(2);
  expect(run.status).toBe("completed");
  expect(limits).toEqual([100, 200, 400, 800]);
});

/** A surgeon's model that reasons for 1,500 tokens, and fails once before it answers with more room. */
async function openReasoning(failsOnce: boolean) {
  const limits: number[] = [];
  let failures = failsOnce ? 1 : 0;
  const url = await serveHttp((_request, response, text) => {
    const limit = limitOf(JSON.parse(text));
    if (limit > 1500 && failures > 0) {
      failures -= 1;
      response.writeHead(503).end();
      return;
    }
    limits.push(limit);
    const isCutOff = limit <= 1500;
    const content = isCutOff ? "" : JSON.stringify(repairWith({ order_id: "A-1234", seats: 3 }));
    const usage = {
      prompt_tokens: 1000,
      completion_tokens: isCutOff ? limit : 1600,
      completion_tokens_details: { reasoning_tokens: Math.min(1500, limit) },
    };
    const choice = { finish_reason: isCutOff ? "length" : "stop", message: { content } };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ choices: [choice], usage }));
  });
  return { url: `${url}/v1`, limits };
}

describe("a surgeon's answer that is cut off", () => {
  const QUERY = { user: { original_query: "Please refund order A-1234 for 3 seats." } };

  it.each([false, true])("is asked for once more, and paid once each (fails between: %s)", async (fails) => {
    const endpoint = await openReasoning(fails);
    const system = await openSurgeonAtWork({ baseUrl: endpoint.url });
    const { runId } = await system.submit({ order_id: "A-1234" }, QUERY);
    expect((await system.until(runId, ["completed", "failed", "quarantined"])).status).toBe("completed");
    const [first = 0, second = 0] = endpoint.limits;
    // The repair, and then the second reading of the text, each first with too little room.
    expect(endpoint.limits).toEqual([first, 2 * first, first, 2 * first]);
    const spent = await system.store.cases.costs.spentThisHour();
    // Gpt-5: 1.25 USD and 10 USD for a million tokens.
    expect(spent).toBe(2 * (2 * 1250 + 10 * (first + 1600)));
    expect(second).toBeGreaterThan(1600);
  });
});

describe("a model call that timed out", () => {
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

  async function openDesk(
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
    const { system, seen } = await openDesk(["/turns", "/notes"]);
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
    const { system, seen } = await openDesk([]);
    await system.submit({ text: "Where is my order A-1234?" }, AMPLE);
    await expect.poll(() => seen.length).toBeGreaterThan(1);
    expect(new Set(seen.map((input) => JSON.stringify(input))).size).toBe(1);
  });

  const needs = {
    decide: { fields: ["/text", "/turns", "/notes", "/order"], shortens: ["/turns", "/notes"] },
  };

  it.each([
    ["the model", {}],
    ["the handler", { handlerTimeoutMs: 1_000 }],
  ])("sends less of what its needs declare where the time of %s was up", async (_, more) => {
    const { system, seen } = await openDesk([], { needs, ...more });
    const { runId } = await system.submit({ text: "Where is my order A-1234?" }, AMPLE);
    expect(await system.until(runId)).toMatchObject({ status: "completed", result: { reply: "ok" } });
    const turns = seen.map((input) => z.array(z.unknown()).parse(input["turns"]).length);
    expect(turns[0]).toBe(TURNS.length);
    expect(turns[1]).toBeLessThan(TURNS.length);
    expect(seen.at(-1)).toMatchObject({ text: "Where is my order A-1234?", order: "A-1234" });
  });
});
