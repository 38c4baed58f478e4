import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { createModelClient } from "#shared/model";
import type { FoundLack } from "#shared/model";
import { agent, team } from "#shared/runtime";
import { tool } from "#shared/runtime/tools";
import { createTestSystem } from "#shared/testing";
import { DIALECTS, startDialect } from "../support/dialects/index.ts";
import type { ChatRequest } from "../support/dialects/index.ts";

/** A step with tools at an endpoint of every dialect: by calls where it takes tools, else by the prompt. */

const Note = contract("note@1", z.object({ text: z.string() }));
const Answer = contract("tools.answer@1", z.strictObject({ answer: z.string() }));

/** How a dialect is asked to call tools, where not by `tools` with strict schemas. */
const OTHERS: Readonly<Record<string, string>> = {
  "vLLM, older": "prompt",
  "vLLM, Gemma": "prompt",
  "Ollama, plain errors": "prompt",
  "llama.cpp, no grammar": "prompt",
  "Google Gemini, older": "calls that are not strict",
};

function wayOf({ tools }: ChatRequest): string {
  if (tools === undefined) return "prompt";
  return tools.every((one) => one.function.strict === true) ? "calls" : "calls that are not strict";
}

/** A model that looks up what it does not know, and then answers. */
function think({ messages }: ChatRequest) {
  const seen = JSON.stringify(messages);
  return seen.includes("forty-two")
    ? JSON.stringify({ answer: "forty-two" })
    : {
        calls: [
          { name: "look_up", arguments: { key: "life" } },
          { name: "look_up", arguments: { key: "all" } },
        ],
      };
}

describe.each(DIALECTS.map((dialect) => [dialect.name, dialect] as const))("%s", (name, dialect) => {
  it("has its model call tools and answer in the contract's form", async () => {
    const ran: string[] = [];
    const lookUp = tool("look_up", {
      description: "Looks up a word.",
      input: z.strictObject({ key: z.string(), most: z.int().optional() }),
      output: z.string(),
      effect: "none",
      call: ({ key }) => {
        ran.push(key);
        return "forty-two";
      },
    });
    const teller = agent("teller@1", {
      accepts: Note,
      answers: [Answer],
      handle: async (note, ctx) => {
        const asked = { instructions: "Answer.", input: note, answers: Answer };
        await ctx.model("first", { ...asked, input: { text: "forty-two" } });
        await ctx.model("earlier", { ...asked, input: { text: "forty-two?" }, tools: [lookUp] });
        return ctx.complete(await ctx.model("answer", { ...asked, tools: [lookUp] }));
      },
    });
    const endpoint = await startDialect(dialect, think);
    const found: FoundLack[] = [];
    const model = createModelClient({
      baseUrl: endpoint.url,
      apiKey: "test",
      models: { router: "team", worker: "team", surgeon: "team" },
      onLack: (one) => found.push(one),
    });
    onTestFinished(async () => {
      model.close();
      await endpoint.close();
    });
    const system = createTestSystem(team("t", [teller]));
    await system.start({ model });
    const { runId } = await system.submit({ text: "x" });
    const run = await system.until(runId, ["completed", "failed", "in_ward", "quarantined"]);
    expect(endpoint.faults).toEqual([]);
    expect(run).toMatchObject({ status: "completed", result: { answer: "forty-two" } });
    expect(ran).toEqual(["life", "all"]);
    const last = endpoint.answered.at(-1);
    expect(last === undefined ? "" : wayOf(last)).toBe(OTHERS[name] ?? "calls");
    // Beside a schema of the answer models of some servers call no tool, and say nothing of it.
    expect(last?.response_format).toBeUndefined();
    const lacksTools = found.some(({ lack }) => lack === "tools" || lack === "system_role");
    expect(lacksTools).toBe(OTHERS[name] === "prompt");
  });
});
