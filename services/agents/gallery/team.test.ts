import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { complete } from "../../../tests/support/model-endpoint.ts";
import { openModelSystem } from "../../../tests/support/open-model-system.ts";
import { operateOn } from "../../../tests/support/operate-on.ts";
import { openRehearsal } from "../../../tests/support/rehearsal-model.ts";
import gallery from "./team.ts";

const samples = readFileSync(new URL("samples/tasks.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { readonly id: string; readonly input: Record<string, string> });

function sampleOf(id: string): Readonly<Record<string, string>> {
  const found = samples.find((one) => one.id === id)?.input;
  if (found === undefined) throw new Error(`there is no sample ${id}`);
  return found;
}

async function openGallery(): Promise<TestSystem> {
  const system = createTestSystem(gallery);
  operateOn(system);
  await system.start({ model: (await openRehearsal(gallery)).model, lockMs: 5000 });
  return system;
}

describe("the gallery", () => {
  it("explains a snippet in the words of its author, and makes a card of it", async () => {
    const system = await openGallery();
    expect(await system.run(sampleOf("clamp"))).toMatchObject({
      status: "completed",
      result: {
        status: "explained",
        card: "whole",
        purpose: "Keeps a number between two limits.",
        names: ["clamp"],
        example: "clamp(12, 0, 10)",
        licence: "MIT",
        author: "Ada Nowak",
        lines: 5,
        problems: [],
      },
    });
  });

  it("is content with either explainer, and goes on while one of them is not at work", async () => {
    const system = createTestSystem(gallery);
    const only = [...gallery.agents.keys()].filter((name) => name !== "gallery-explainer");
    await system.start({ model: (await openRehearsal(gallery)).model, lockMs: 5000, only });
    const runs = await Promise.all(Array.from({ length: 4 }, () => system.submit(sampleOf("retry-go"))));
    for (const { runId } of runs)
      expect(await system.until(runId)).toMatchObject({ result: { status: "explained", names: ["Retry"] } });
  });

  it("puts a long snippet into the index, by the fallback of its edge", async () => {
    const system = await openGallery();
    const run = await system.run(sampleOf("long"));
    expect(run).toMatchObject({ status: "completed", result: { card: "index", names: ["daysOf"] } });
    expect(run.result).not.toHaveProperty("code");
  });

  it("tells every fault at once, and goes on with a default where no licence is named", async () => {
    const system = await openGallery();
    expect(await system.run(sampleOf("cut"))).toMatchObject({
      result: { licence: "none stated", problems: [{ step: "whole" }, { step: "licence" }] },
    });
  });

  it("gives to a person what it cannot tell the purpose of, and what no model has read", async () => {
    const system = await openGallery();
    const { runId } = await system.submit(sampleOf("orders"));
    expect(await system.until(runId)).toMatchObject({ result: { status: "for_a_person", purpose: null } });
    expect(await system.run({ ...sampleOf("orders"), code: "x" })).toMatchObject({
      result: { status: "for_a_person", example: expect.stringMatching(/^No model is set/) },
    });
  });
});

describe("with a model", () => {
  it("asks for XML, and reads code out of it as it stands", async () => {
    const { system, endpoint } = await openModelSystem(gallery);
    endpoint.behave =
      ({ body: { model } }) =>
      (response) =>
        complete(response, {
          model,
          text: "Here you are:\n<answer><purpose>Clamps.</purpose><names><item>clamp</item><item>madeUp</item></names><example>clamp(a < b ? 1 : 2, 0, 9) && true</example></answer>",
        });
    const run = await system.run(sampleOf("clamp"));
    expect(run).toMatchObject({
      status: "completed",
      // The name that does not stand in the code is left out.
      result: { names: ["clamp"], example: "clamp(a < b ? 1 : 2, 0, 9) && true" },
    });
    // Three drafts and what is made of them; nobody is told the author.
    expect(endpoint.seen.length).toBe(4);
    expect(JSON.stringify(endpoint.seen.map(({ body }) => body))).not.toContain("Nowak");
  });

  it("ends a run whose answers are of no use, instead of keeping it for repair", async () => {
    const { system, endpoint } = await openModelSystem(gallery);
    endpoint.behave = () => "I would rather not.";
    expect((await system.run(sampleOf("clamp"))).status).toBe("failed");
  });
});
