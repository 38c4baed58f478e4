import { expect, test } from "vitest";
import { dropAddedNulls } from "#shared/model";
import type { ModelCall } from "#shared/model";
import type { RehearsalOptions } from "./server.ts";
import { clientOf, openServer } from "./testing/open-server.ts";

const start = (options: Partial<RehearsalOptions> = {}) =>
  openServer({
    findStandIn: (agent, step) =>
      agent === "greeter@1" && step === "greet ✓"
        ? (input: { name: string }) => ({ greeting: `Hello ${input.name}`, warmth: 0.8, mood: "happy" })
        : undefined,
    faultRate: 0,
    ...options,
  });

const call: Omit<ModelCall, "signal"> = {
  tier: "worker",
  instructions: "Greet.",
  input: JSON.stringify({ name: "Ada" }),
  history: [
    { role: "user", content: '{"name":"Bob"}' },
    { role: "assistant", content: "Hello Bob" },
  ],
  schemaName: "greeting@1",
  jsonSchema: {
    type: "object",
    properties: {
      greeting: { type: "string" },
      warmth: { type: "number" },
      mood: { type: "string", enum: ["happy", "sad"] },
      remark: { type: "string" },
    },
    required: ["greeting", "warmth", "mood"],
  },
  agent: "greeter@1",
  step: "greet ✓",
};
const { signal } = new AbortController();
const good = { greeting: "Hello Ada", warmth: 0.8, mood: "happy" };

test("answers under the schema, again when asked again, and many at once, with usage, cost and a model's name", async () => {
  const client = clientOf(await start());
  const reask = { previousAnswer: "{", problems: "/: the JSON ends too early" };
  const calls = [call, { ...call, reask }, ...Array.from({ length: 8 }, () => call)];
  for (const answer of await Promise.all(calls.map((one) => client.ask({ ...one, signal })))) {
    // Equal, not similar: an optional field's null must have been taken out.
    expect(dropAddedNulls(JSON.parse(answer.text), call.jsonSchema)).toEqual(good);
    expect(answer).toMatchObject({ finish: "stop", model: "rehearsal-worker" });
    const { usage, cost } = answer;
    for (const spent of [usage.input_tokens, usage.output_tokens, cost]) expect(spent).toBeGreaterThan(0);
  }
});

test("cuts the answer at the token limit and says so", async () => {
  const answer = await clientOf(await start()).ask({ ...call, tokensMax: 3, signal });
  expect(answer.finish).toBe("length");
  expect(answer.text).toHaveLength(12);
});

test("two servers with one seed go wrong in the same way, another seed in another", async () => {
  const outcomesOf = async (seed: number): Promise<string[]> => {
    const client = clientOf(await start({ faultRate: 1, seed }));
    const inputs = Array.from({ length: 40 }, (_, index) => JSON.stringify({ name: `N${index}` }));
    const asked = await Promise.allSettled(inputs.map((input) => client.ask({ ...call, input, signal })));
    // Strict answers stay unspoiled in form only when a null is taken out, so the text itself is compared.
    return asked.map((each) => (each.status === "fulfilled" ? each.value.text : String(each.reason)));
  };
  const first = await outcomesOf(7);
  expect(await outcomesOf(7)).toEqual(first);
  expect(await outcomesOf(8)).not.toEqual(first);
  const kinds = first.map((text) => text.split(/[ :(]/)[0]);
  expect(new Set(kinds).size).toBeGreaterThan(4);
});

test("refuses what it cannot rehearse: streaming, prose, and bodies that are no request", async () => {
  const rehearsal = await start();
  const codes = await Promise.all(
    [
      { model: "m", stream: true, messages: [{ role: "user", content: "{}" }] },
      { model: "m", messages: [{ role: "user", content: "hello" }] },
      { messages: 5 },
    ].map(async (body) => {
      const response = await fetch(`${rehearsal.url}/v1/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      expect(response.status).toBe(400);
      return ((await response.json()) as { error: { code: string } }).error.code;
    }),
  );
  expect(codes).toEqual(["streaming", "no_json_input", "malformed"]);
});
