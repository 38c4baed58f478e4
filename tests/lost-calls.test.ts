import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { RETRY_POLICY_DEFAULT } from "#shared/failure";
import { agent, RUNTIME_LIMITS_DEFAULT, team } from "#shared/runtime";
import { openModelSystem } from "./support/open-model-system.ts";

/** What a model call costs in the books that may have been paid for and brought nothing. */

const Note = contract("note@1", z.object({ text: z.string() }));

/** What the endpoint says that its answer took. */
const ANSWER_TOKENS = 120;
/** What the answer is limited to in tokens. */
const TOKENS_MAX = 500;

const limits = {
  ...RUNTIME_LIMITS_DEFAULT,
  modelTimeoutMs: 1_000,
  retry: { ...RETRY_POLICY_DEFAULT, delayMs: 20 },
};

type Trouble = (response: ServerResponse) => void;

/** An agent whose first call meets trouble, and whose others are answered. */
async function openCaller(trouble: Trouble, { isLimited = true, handlerTimeoutMs = 5_000 } = {}) {
  const teller = agent("teller@1", {
    accepts: Note,
    answers: [Note],
    handlerTimeoutMs,
    handle: async (input, ctx) =>
      ctx.complete(
        await ctx.model("read", {
          instructions: "Read it.",
          input,
          answers: Note,
          ...(isLimited ? { tokensMax: TOKENS_MAX } : {}),
        }),
      ),
  });
  const { system, endpoint } = await openModelSystem(team("bank", [teller]), { limits });
  endpoint.behave = () => (endpoint.seen.length === 1 ? trouble : '{"text":"read"}');
  const run = async (draft = {}) => {
    const { runId } = await system.submit({ text: "hello" }, draft);
    const ended = await system.until(runId, ["completed", "failed", "in_ward", "quarantined"]);
    const events = await system.store.runs.events(runId, { from: 0, limit: 50 });
    return { ended, events };
  };
  return { endpoint, run };
}

const hang: Trouble = () => undefined;

const breakOff: Trouble = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"choices"');
  setTimeout(() => response.destroy(), 10);
};

const talkTooMuch: Trouble = (response) => {
  response.writeHead(200, { "content-type": "application/json" }).end(`"${"a".repeat(2_000_000)}"`);
};

describe("a call that may have been paid for", () => {
  it.each([
    ["timed out", hang, {}],
    ["timed out with the handler", hang, { handlerTimeoutMs: 700 }],
    ["broke off", breakOff, {}],
    ["was cut off for its size", talkTooMuch, {}],
  ])("and %s is in the books by its upper bound", async (_, trouble, options) => {
    const { run, endpoint } = await openCaller(trouble, options);
    const { ended } = await run();
    expect(ended.status).toBe("completed");
    // On a busy machine a further call may time out.
    const lost = endpoint.seen.length - 1;
    const tokensOfLost = (ended.tokens - ANSWER_TOKENS) / lost;
    expect(tokensOfLost).toBeGreaterThan(TOKENS_MAX);
    // The question is short: its own bound is some hundred tokens.
    expect(tokensOfLost).toBeLessThan(TOKENS_MAX + 500);
    expect(ended.cost).toBeGreaterThan(0);
  });

  it("leaves the next delivery so much less to spend", async () => {
    const { run, endpoint } = await openCaller(hang);
    const { ended, events } = await run({ budget: { token_limit: TOKENS_MAX } });
    expect(ended.status).toBe("quarantined");
    expect(events.at(-1)).toMatchObject({ detail: { class: "budget_exceeded" } });
    expect(endpoint.seen.length).toBe(1);
  });

  it("is bounded where the call names no limit", async () => {
    const { ended } = await (await openCaller(hang, { isLimited: false })).run();
    expect(ended.tokens).toBeGreaterThan(4_096);
    expect(ended.tokens).toBeLessThan(5_000);
  });
});

it.each([
  ["503", (response) => void response.writeHead(503).end("{}")],
  ["429", (response) => void response.writeHead(429, { "retry-after-ms": "50" }).end("{}")],
] satisfies [string, Trouble][])("a call that was answered with %s costs nothing", async (_, trouble) => {
  const { ended } = await (await openCaller(trouble)).run();
  expect(ended).toMatchObject({ status: "completed", tokens: ANSWER_TOKENS });
});
