import { describe, expect, it } from "vitest";
import { z } from "zod";
import { agent, team } from "#shared/runtime";
import type { AgentOptions } from "#shared/runtime";
import { tool } from "#shared/runtime/tools";
import type { Tool } from "#shared/runtime/tools";
import { complete } from "../support/model-endpoint.ts";
import type { ModelEndpoint, SeenRequest } from "../support/model-endpoint.ts";
import { openModelSystem } from "../support/open-model-system.ts";
import { Answer, call, GOOD, Note, resultsIn, speak } from "./model-that-calls.ts";
import type { Turn } from "./model-that-calls.ts";

/** The end of each call that a model asks for, whatever it asks. */

interface Setting {
  readonly tools: readonly Tool[];
  /** The model's turns; the last one again and again. */
  readonly turns: readonly Turn[];
  readonly toolRoundsMax?: number;
  readonly tokensMax?: number;
  /** Acts of the endpoint in place of the turns. */
  readonly behave?: (request: SeenRequest, index: number) => ReturnType<ModelEndpoint["behave"]>;
  readonly options?: Partial<AgentOptions<typeof Note, Record<never, never>>>;
  readonly draft?: object;
  readonly crashes?: number;
}

async function run(setting: Setting) {
  const { tools, turns, toolRoundsMax, tokensMax, behave, options = {}, draft = {}, crashes = 0 } = setting;
  let left = crashes;
  const teller = agent("teller@1", {
    accepts: Note,
    answers: [Answer],
    ...options,
    handle: async (note, ctx) => {
      const value = await ctx.model("answer", {
        instructions: "Answer.",
        input: note,
        answers: Answer,
        tools,
        ...(toolRoundsMax === undefined ? {} : { toolRoundsMax }),
        ...(tokensMax === undefined ? {} : { tokensMax }),
      });
      left -= 1;
      if (left >= 0) throw new Error("dies after the answer");
      return ctx.complete(value);
    },
  });
  const { system, endpoint } = await openModelSystem(team("t", [teller]));
  speak(endpoint, turns);
  if (behave !== undefined) endpoint.behave = (request) => behave(request, endpoint.seen.length - 1);
  const ended = await system.run({ text: "x" }, draft, ["completed", "failed", "in_ward", "quarantined"]);
  expect(endpoint.refused).toEqual([]);
  const events = (await system.store.runs.events(ended.run_id, { from: 0, limit: 100 }))
    .map(({ detail }) => detail)
    .filter(({ code }) => code !== undefined);
  return { ended, events, seen: endpoint.seen, results: resultsIn(endpoint.seen.at(-1)) };
}

function lookUp(ran: unknown[], more: Partial<Parameters<typeof tool>[1]> = {}): Tool {
  return tool("look_up", {
    description: "Looks up a number.",
    input: z.strictObject({ key: z.string().max(5), most: z.int().optional() }),
    output: z.object({ found: z.number() }),
    effect: "none",
    call: (input) => {
      ran.push(input);
      return { found: 7 };
    },
    ...more,
  });
}

describe("a model that calls tools", () => {
  it("is shown their results and then answers; a re-run repeats neither its questions nor its calls", async () => {
    const ran: unknown[] = [];
    const { ended, seen } = await run({
      tools: [lookUp(ran)],
      turns: [[call("look_up", { key: "a", most: null }), call("look_up", { key: "b" })], GOOD],
      crashes: 2,
    });
    expect(ended).toMatchObject({ status: "completed", result: { answer: "done" } });
    expect(ran).toEqual([{ key: "a" }, { key: "b" }]);
    expect(seen).toHaveLength(2);
    const [first, second] = seen.map(({ body }) => body);
    expect(first).toMatchObject({ tools: [{ function: { name: "look_up", strict: true } }] });
    expect(first?.response_format).toBeUndefined();
    const [, , turn, ...results] = second?.messages ?? [];
    // The model gave two calls one id: ours differ.
    expect(turn?.tool_calls?.map(({ id }) => id)).toEqual(["r0000c000", "r0000c001"]);
    expect(results.map(({ tool_call_id: id, content }) => [id, JSON.parse(content)])).toEqual([
      ["r0000c000", { status: "done", output: { found: 7 } }],
      ["r0000c001", { status: "done", output: { found: 7 } }],
    ]);
  });

  it.each([
    ["an unknown tool", call("drop_table", {}), "unknown_tool"],
    ["a name of an object's own", call("constructor", {}), "unknown_tool"],
    ["no name", { id: "a", type: "function", function: { arguments: "{}" } }, "unknown_tool"],
    ["arguments that are no JSON", call("look_up", '{"key":"a"'), "bad_arguments"],
    ["arguments that are no object", call("look_up", "[]"), "bad_arguments"],
    ["a name twice", call("look_up", '{"key":"a","key":"b"}'), "bad_arguments"],
    ["an unknown field", call("look_up", { key: "a", force: true }), "bad_arguments"],
    ["a value out of bounds", call("look_up", { key: "toolong" }), "bad_arguments"],
    ["nothing where something is needed", call("look_up", ""), "bad_arguments"],
    ["very long arguments", call("look_up", { key: "x".repeat(100_000) }), "bad_arguments"],
    ["deeply nested arguments", call("look_up", "[".repeat(20_000)), "bad_arguments"],
  ])("reads what was wrong with %s, and nothing runs", async (_, bad, code) => {
    const ran: unknown[] = [];
    const { ended, results } = await run({ tools: [lookUp(ran)], turns: [[bad], GOOD] });
    expect(ended.status).toBe("completed");
    expect(ran).toEqual([]);
    expect(results).toMatchObject([{ status: "failed", code }]);
    expect(JSON.stringify(results).length).toBeLessThan(3000);
  });

  it("runs a call whose arguments first aid mends, and is shown what ran", async () => {
    const ran: unknown[] = [];
    const twice = JSON.stringify('{"key":"a"}');
    const { ended, seen } = await run({
      tools: [lookUp(ran)],
      turns: [[call("look_up", twice), call("look_up", "```json\n{'key': 'b'}\n```")], GOOD],
      crashes: 1,
    });
    expect(ended.status).toBe("completed");
    expect(ran).toEqual([{ key: "a" }, { key: "b" }]);
    expect(seen[1]?.body.messages[2]?.tool_calls).toMatchObject([
      { function: { arguments: '{"key":"a"}' } },
      { function: { arguments: '{"key":"b"}' } },
    ]);
  });

  it.each([["{"], [""], ['{"key":"a"'], [JSON.stringify('{"key":"a"')]])(
    "is asked again with more room where its call was cut off as %j, which never runs",
    async (cut) => {
      const ran: unknown[] = [];
      const free = lookUp(ran, { input: z.object({ key: z.string().optional() }) });
      const limits: unknown[] = [];
      const { ended, results } = await run({
        tools: [free],
        turns: [],
        tokensMax: 100,
        behave:
          ({ body }) =>
          (response) => {
            limits.push("max_completion_tokens" in body ? body.max_completion_tokens : null);
            const calls = [
              call("look_up", { key: "b" }),
              call("look_up", limits.length < 3 ? cut : { key: "c" }),
            ];
            if (limits.length > 3) complete(response, { text: GOOD, model: body.model });
            else complete(response, { text: null, model: body.model, calls, isCutOff: limits.length < 3 });
          },
      });
      expect(ended.status).toBe("completed");
      expect(limits).toEqual([100, 200, 400, 100]);
      expect(ran).toEqual([{ key: "b" }, { key: "c" }]);
      expect(results).toMatchObject([{ status: "done" }, { status: "done" }]);
    },
  );

  it("cannot make hundreds of calls", async () => {
    const ran: unknown[] = [];
    const many = Array.from({ length: 300 }, (_, index) => call("look_up", { key: `${index}` }));
    const { ended, seen } = await run({ tools: [lookUp(ran)], turns: [many, GOOD] });
    expect(ended.status).toBe("completed");
    expect(ran).toHaveLength(16);
    // As many as one step may call: it has to answer now, and is offered no tools.
    expect(seen[1]?.body.tools).toBeUndefined();
    expect(seen[1]?.body.response_format).toBeDefined();
    expect(seen[1]?.body.messages.at(-1)?.content).toContain("too_many_calls");
  });
});
