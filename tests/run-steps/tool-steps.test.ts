import { expect, test } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team, tool } from "#shared/runtime";
import { startTestGateway } from "../../services/gateway/testing/start-test-gateway.ts";
import { call, openSpeaker } from "../tools/model-that-calls.ts";
import { stepsForm } from "./open-desk.ts";

const Question = contract("tooled.question@1", z.strictObject({ text: z.string() }));
const Answer = contract("tooled.answer@1", z.strictObject({ said: z.string() }));
const lookUp = tool("look_up", {
  description: "Looks up a word.",
  input: z.strictObject({ word: z.string() }),
  output: z.strictObject({ found: z.string(), api_key: z.string() }),
  effect: "none",
  call: ({ word }) => ({ found: `${word} is a colour`, api_key: "sk-proj-AbCdEfGhIjKlMnOpQrSt0123456789" }),
});
const tooled = team("tooled", [
  agent("tooled@1", {
    accepts: Question,
    answers: [Answer],
    handle: async (input, ctx) =>
      ctx.complete(
        await ctx.model("answer", { instructions: "Answer.", input, answers: Answer, tools: [lookUp] }),
      ),
  }),
]);

test("shows a tool that a model called with its arguments and its outcome, without the keys that it gave", async () => {
  const gateway = await startTestGateway({ team: tooled });
  const said = JSON.stringify({ said: "Teal is a colour." });
  const { model } = await openSpeaker(tooled, [[call("look_up", { word: "teal" })], said]);
  await gateway.system.start({ model });
  const { runId } = await gateway.system.submit({ text: "What is teal?" });
  await gateway.system.until(runId);
  const answer = await gateway.send(`/v1/runs/${runId}/steps`);
  const { steps } = stepsForm.parse(await answer.json());
  expect(steps.map(({ kind, name, round }) => [kind, name, round])).toEqual([
    ["delivery", null, null],
    ["model", "answer", "t1"],
    ["tool", "look_up", null],
    ["model", "answer", "t2"],
  ]);
  expect(steps[1]?.output.value).toMatchObject({
    calls: [{ name: "look_up", arguments: '{"word":"teal"}' }],
  });
  expect(steps[2]).toMatchObject({
    input: { state: "whole", value: { word: "teal" } },
    output: { value: { status: "done", output: { found: "teal is a colour", api_key: "[secret]" } } },
  });
});
