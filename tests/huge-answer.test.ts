import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { createModelClient } from "#shared/model";
import { agent, team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import { startModelEndpoint } from "./support/model-endpoint.ts";

const Question = contract("question@1", z.object({ n: z.number() }));
const Reply = contract("reply@1", z.object({ n: z.number() }));
const ANSWER_BYTES_MAX = 4096;

/** A worker that asks a model whose first answers are cut off for their size. */
async function openAsker(options: { readonly hugeAnswers: number; readonly failures: number }) {
  let failuresLeft = options.failures;
  const asker = agent("asker@1", {
    accepts: Question,
    handle: async (input, ctx) => {
      const reply = await ctx.model("reply", { instructions: "Repeat it.", input, answers: Reply });
      if (failuresLeft > 0) {
        failuresLeft -= 1;
        throw new Error("dies after the answer");
      }
      return ctx.complete(reply);
    },
  });
  const members = team("askers", [asker]);
  const endpoint = await startModelEndpoint([members]);
  endpoint.behave = () =>
    endpoint.seen.length <= options.hugeAnswers ? "a".repeat(2 * ANSWER_BYTES_MAX) : '{"n": 7}';
  const model = createModelClient({
    baseUrl: endpoint.url,
    apiKey: "none",
    models: { router: "m", worker: "m", surgeon: "m" },
    timeoutMs: 10_000,
    answerBytesMax: ANSWER_BYTES_MAX,
  });
  onTestFinished(async () => {
    model.close();
    await endpoint.close();
  });
  const system = createTestSystem(members);
  await system.start({ model });
  return { system, endpoint };
}

it("tells a model that its answer was too large and asks it once more, like any answer that cannot be used", async () => {
  const { system, endpoint } = await openAsker({ hugeAnswers: 1, failures: 0 });
  const { runId } = await system.submit({ n: 7 });
  expect(await system.until(runId)).toMatchObject({ status: "completed", result: { n: 7 } });
  const [, second] = endpoint.seen;
  expect(JSON.stringify(second?.body.messages)).toContain(String(ANSWER_BYTES_MAX));
  expect(endpoint.seen).toHaveLength(2);
});

it("takes the answer to the ward when the second is too large as well", async () => {
  const { system, endpoint } = await openAsker({ hugeAnswers: 2, failures: 0 });
  const { runId } = await system.submit({ n: 7 });
  expect((await system.until(runId, ["in_ward"])).status).toBe("in_ward");
  const events = await system.store.runs.events(runId, { from: 0, limit: 20 });
  expect(events.find(({ type }) => type === "in_ward")?.detail).toMatchObject({
    class: "parse_error",
    code: "MODEL_ANSWER_UNUSABLE",
  });
  expect(endpoint.seen).toHaveLength(2);
});
