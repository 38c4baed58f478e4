import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  COMPRESSION_ANSWERS,
  compress,
  compressionStandIns,
  extraction,
  readPacket,
  resumeCalls,
} from "#shared/context";
import { contract } from "#shared/contract";
import type { Envelope, HistoryMessage } from "#shared/envelope";
import { agent, team } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { startTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import type { ModelEndpoint } from "./support/model-endpoint.ts";
import { openModel, PRICED } from "./support/open-model-system.ts";

const Note = contract("note@1", z.object({ text: z.string() }));
const Said = contract("said@1", z.object({ said: z.string() }));

/** As any tokenizer would, near enough: what is shown here is that a budget is held, not how a model counts. */
const countRoughly = (text: string): number => Math.ceil(text.length / 4);

async function open(members: Team): Promise<{ system: TestSystem; endpoint: ModelEndpoint }> {
  const { endpoint, model } = await openModel(members, { models: PRICED });
  const system = await startTestSystem(
    members,
    { model, tokenCounters: () => Promise.resolve(countRoughly) },
    { retry: { delayMs: 10 } },
  );
  return { system, endpoint };
}

/** Messages to the model in each call, the system's words aside. */
function prompts({ seen }: ModelEndpoint): unknown[] {
  return seen.map(({ body }) =>
    JSON.parse(body.messages.find(({ role }) => role === "user")?.content ?? "null"),
  );
}

describe("a prompt", () => {
  const state = {
    text: "the message",
    order: { id: "A-1", total: 5, internal: "margin" },
    steps: { research: "long", review: "longer" },
  };

  function asker(options: object, step = "reply") {
    return agent("asker@1", {
      accepts: Note,
      answers: [Said],
      ...options,
      handle: async (_note, ctx) => {
        const first = await ctx.model(step, { instructions: "Say it.", input: state, answers: Said });
        return ctx.complete(first);
      },
    });
  }

  it("holds what its step declares and nothing else of what its handler passes", async () => {
    const needs = { reply: { fields: ["/text", "/order/id"], optional: ["/order/note"] } };
    const { system, endpoint } = await open(team("t", [asker({ needs })]));
    endpoint.behave = () => '{"said":"yes"}';
    expect((await system.run({ text: "x" })).status).toBe("completed");
    expect(prompts(endpoint)).toEqual([{ text: "the message", order: { id: "A-1" } }]);
    expect(JSON.stringify(endpoint.seen)).not.toMatch(/margin|longer/);
  });

  it("is not sent over 80 % of its budget, and costs nothing then", async () => {
    const { system, endpoint } = await open(team("t", [asker({ contextTokensMax: 60 })]));
    const run = await system.run({ text: "x" }, {}, ["quarantined"]);
    expect(run.cost).toBe(0);
    expect(endpoint.seen).toEqual([]);
    const roomy = await open(team("t", [asker({ contextTokensMax: 6000 })]));
    roomy.endpoint.behave = () => '{"said":"yes"}';
    expect((await roomy.system.run({ text: "x" })).status).toBe("completed");
  });
});

describe("a handoff", () => {
  const Stage = contract("stage@1", z.looseObject({ entities: z.array(z.object({ name: z.string() })) }));

  it("carries the declared fields and none of the rest, and what is computed from them", async () => {
    const seen: unknown[] = [];
    const full = { entities: [{ name: "Ada", score: 1 }], raw_text: "long", debug: { model: "m" }, count: 1 };
    const analyse = agent("analyse@1", {
      accepts: Note,
      to: { write: Stage },
      passes: { write: ["/entities/*/name", "/count"] },
      handle: (_note, ctx) => ctx.handoff("write", full),
    });
    const write = agent("write@1", {
      accepts: Stage,
      handle: (input, ctx) => {
        seen.push(input);
        return ctx.complete({});
      },
    });
    const { system } = await open(team("t", [analyse, write]));
    await system.run({ text: "x" });
    expect(seen).toEqual([{ entities: [{ name: "Ada" }], count: 1 }]);
    const forWriter = extraction<typeof full>()({
      fields: ["entities"],
      computes: {
        count: ({ entities }) => entities.length,
        names: ({ entities }) => entities.map(({ name }) => name),
      },
    });
    expect(forWriter(full)).toEqual({ entities: full.entities, count: 1, names: ["Ada"] });
  });
});

describe("a compressor", () => {
  const history: HistoryMessage[] = Array.from({ length: 40 }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content:
      index === 4
        ? "The order is AB-10023 and it cost 49.90 EUR."
        : "Thanks, that is lovely of you, how are you today? ".repeat(10),
  }));

  function members(dies: { left: number }, seen: Envelope[]) {
    const intake = agent("intake@1", {
      accepts: Note,
      to: { specialist: Note },
      answers: [...COMPRESSION_ANSWERS],
      standIns: { ...compressionStandIns() },
      handle: async (note, ctx) => {
        const { conversation } = await compress(ctx, {
          strategy: { kind: "rolling_summary" },
          tokensMax: 400,
          portionTokensMax: 1500,
        });
        if (dies.left > 0) {
          dies.left -= 1;
          throw new Error("dies after the compression");
        }
        return ctx.handoff("specialist", note, { conversation });
      },
    });
    const specialist = agent("specialist@1", {
      accepts: Note,
      handle: (_note, ctx) => {
        seen.push(ctx.envelope);
        return ctx.complete({});
      },
    });
    return team("clinic", [intake, specialist]);
  }

  it("is an ordinary step: recorded, priced, and not paid again when the handler runs again", async () => {
    const seen: Envelope[] = [];
    const { system, endpoint } = await open(members({ left: 1 }, seen));
    const run = await system.run({ text: "x" }, { conversation: { history } });
    expect(run.status).toBe("completed");
    const asked = prompts(endpoint).map((prompt) => JSON.stringify(prompt));
    expect(asked.length).toBeGreaterThan(1);
    expect(new Set(asked).size).toBe(asked.length);
    expect(run.tokens).toBe(asked.length * 120);
    const [received] = seen;
    const packet = received === undefined ? null : readPacket(received.conversation);
    expect(JSON.stringify(packet)).toContain("AB-10023");
    expect(JSON.stringify(packet)).toContain("49.90 EUR");
    expect(countRoughly(JSON.stringify(packet))).toBeLessThanOrEqual(320);
    expect(packet?.transcript?.turns).toBe(40);
  });
});

describe("tool calls that outlive their agent", () => {
  it("are gone on with by the receiver, once, also where the history is left behind", async () => {
    const ran: string[] = [];
    let failures = 1;
    const first = agent("first@1", {
      accepts: Note,
      to: { second: Note },
      handle: (note, ctx) =>
        ctx.handoff("second", note, {
          preserveHistory: false,
          conversation: {
            tool_state: {
              active_calls: [
                { call_id: "c1", tool: "query", arguments: { q: 1 } },
                { id: "c2", name: "unknown", arguments: {} },
              ],
              cached_results: { c0: "over" },
            },
          },
        }),
    });
    const second = agent("second@1", {
      accepts: Note,
      handle: async (_note, ctx) => {
        const { resumed, left, conversation } = await resumeCalls(ctx, {
          query: {
            run: async (call) => {
              ran.push(call.call_id);
              return { rows: 3 };
            },
          },
        });
        if (failures > 0) {
          failures -= 1;
          throw new Error("dies after the call");
        }
        return ctx.complete({ resumed: resumed.map(({ result }) => result), left, conversation });
      },
    });
    const { system } = await open(team("t", [first, second]));
    const { result } = await system.run(
      { text: "x" },
      { conversation: { history: [{ role: "user", content: "old" }] } },
    );
    expect(ran).toEqual(["c1"]);
    expect(result).toMatchObject({
      resumed: [{ rows: 3 }],
      left: [{ call_id: "c2", tool: "unknown" }],
      conversation: {
        history: [{ role: "tool", name: "query", tool_call_id: "c1", content: '{"rows":3}' }],
        tool_state: { active_calls: [{ id: "c2" }] },
      },
    });
  });
});

describe("a contract whose answers are in XML", () => {
  const shape = z.object({
    summary: z.string(),
    samples: z.array(z.object({ language: z.string(), code: z.string() })),
  });
  const Json = contract("review.json@1", shape);
  const Xml = contract("review.xml@1", shape, { answersIn: "xml" });
  const value = {
    summary: "Works.",
    samples: [{ language: "c", code: 'if (a < b && c) {\n  puts("</item>");\n}' }],
  };

  it("gives a handler the same typed value as one in JSON, and tells the model its form", async () => {
    const both = agent("both@1", {
      accepts: Note,
      handle: async (_note, ctx) => {
        const json = await ctx.model("json", { instructions: "Review.", input: {}, answers: Json });
        const xml = await ctx.model("xml", { instructions: "Review.", input: {}, answers: Xml });
        return ctx.complete({ json, xml });
      },
    });
    const { system, endpoint } = await open(team("t", [both]));
    endpoint.behave = ({ body }) => {
      if (body.response_format !== undefined) return JSON.stringify(value);
      expect(body.messages[0]?.content).toContain("<language>text</language>");
      return `Sure!\n<answer><summary>Works.</summary><samples><item><language>c</language><code><![CDATA[${value.samples[0]?.code}]]></code></item></samples></answer>`;
    };
    expect((await system.run({ text: "x" })).result).toEqual({ json: value, xml: value });
  });
});
