import { expect, test } from "vitest";
import type { ModelCall } from "./model-client.ts";
import type { FoundLack } from "./negotiate.ts";
import { CALL as call, openEndpoint, sendJson } from "./testing/index.ts";

type Body = Readonly<Record<string, unknown>>;

/** A client of an endpoint that refuses what `refuse` gives an error for, and answers everything else. */
async function open(refuse: (body: Body) => object | null, said = '{"route":"sales"}') {
  const seen: Body[] = [];
  const found: FoundLack[] = [];
  const state = { refuse, said, status: 400, finish: "stop" };
  const client = await openEndpoint(
    (response, text) => {
      // The client's own request.
      const body = JSON.parse(text) as Body;
      seen.push(body);
      const error = state.refuse(body);
      const message = { role: "assistant", content: state.said };
      const answer = { choices: [{ index: 0, finish_reason: state.finish, message }] };
      sendJson(response, error === null ? 200 : state.status, error ?? answer);
    },
    { onLack: (one) => found.push(one) },
  );
  return { client, seen, found, state };
}

/** The same question about something else. */
const about = (n: number, asked: ModelCall = call): ModelCall => ({ ...asked, input: `{"text":"${n}"}` });

const loose = {
  ...call,
  schemaName: "scores@1",
  jsonSchema: { ...call.jsonSchema, additionalProperties: true },
};

function modeOf({ response_format: format, tools }: Body): unknown {
  // The client's own request.
  return tools === undefined ? ((format as { type: string } | undefined)?.type ?? "prompt") : "tool";
}

const refusal = (param: string) => ({
  error: { message: "no", type: "invalid_request_error", param, code: null },
});

test("sends a refused call again in the next form, once for twenty at a time", async () => {
  const { client, seen, found } = await open((body) =>
    modeOf(body) === "json_schema" ? refusal("response_format") : null,
  );
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => client.ask(about(n))));
  expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['{"route":"sales"}']));
  expect(found).toEqual([{ model: "gpt-5-mini", lack: "strict_schema", schema: null, mode: "json_mode" }]);
  expect(seen.length).toBeLessThanOrEqual(40);
  const before = seen.length;
  await client.ask(call);
  expect(seen.slice(before).map(modeOf)).toEqual(["json_object"]);
});

test("negotiates schemas that can be enforced apart from those that cannot", async () => {
  const { client, seen, found } = await open((body) =>
    JSON.stringify(body).includes('"strict":false') ? refusal("response_format.json_schema.strict") : null,
  );
  for (const one of [loose, call, about(1, loose), about(2, loose)]) await client.ask(one);
  expect(found.map(({ lack }) => lack)).toEqual(["loose_schema"]);
  const refused = ["json_schema", "json_object"];
  expect(seen.map(modeOf)).toEqual([...refused, "json_schema", ...refused, "json_object"]);
});

const PROSE = "I would say that it is about sales.";
const again = { ...call, reask: { previousAnswer: PROSE, problems: "/: not JSON" } };

function isSpelledOut({ messages }: Body): boolean {
  return JSON.stringify(messages).includes("Answer with JSON of this schema");
}

test("spells out a schema that the model is not shown: to questions asked again, and to all after three", async () => {
  const { client, seen, found, state } = await open(() => null, PROSE);
  for (let n = 0; n < 3; n += 1) {
    expect(found).toEqual([]);
    state.said = PROSE;
    await client.ask(about(n));
    state.said = '{"route":"sales"}';
    await client.ask(about(n, again));
  }
  expect(found.map(({ lack }) => lack)).toEqual(["reading_schema"]);
  await client.ask(call);
  expect(seen.map(isSpelledOut)).toEqual([false, true, false, true, false, true, true]);
  expect(new Set(seen.map(modeOf))).toEqual(new Set(["json_schema"]));
});

const lookUp = {
  name: "look_up",
  description: "Looks up.",
  jsonSchema: { type: "object", properties: { key: { type: "string" } }, required: ["key"] },
};
const withTools: ModelCall = { ...call, tools: [lookUp], temperature: 0.2 };

/** Errors of endpoints about a call that their model wrote; none of them is about the request. */
const FAILED_CALLS: readonly (readonly [string, number, object])[] = [
  [
    "Groq, by its code",
    400,
    {
      error: {
        message: "Please adjust your prompt. See the field for more details.",
        type: "invalid_request_error",
        code: "tool_use_failed",
        failed_generation: '<function=look_up{"key": "response_format"}</function>',
      },
    },
  ],
  [
    "a router of many",
    400,
    {
      error: {
        message: "Provider returned error",
        code: 400,
        metadata: {
          raw: '{"error":{"message":"Tool call validation failed: attempted to call tool \'x\' which was not in request.tools"}}',
          provider_name: "One",
        },
      },
    },
  ],
  ["Ollama", 500, { error: `error parsing tool call: raw='{"key":"tools require support"}]', err=invalid` }],
];

test.each(FAILED_CALLS)("asks again where the model wrote a bad call: %s", async (_, status, error) => {
  const { client, seen, found, state } = await open((body) =>
    body["tools"] !== undefined && seen.length % 2 === 1 ? error : null,
  );
  state.status = status;
  const sent: number[] = [];
  for (const n of [1, 2, 3]) await client.ask({ ...about(n, withTools), onSending: () => sent.push(n) });
  expect(found).toEqual([]);
  expect(seen).toHaveLength(6);
  expect(seen.every(({ tools, temperature }) => tools !== undefined && temperature === 0.2)).toBe(true);
  // Answers that the model wrote in vain may be billed, too.
  expect(sent).toEqual([1, 1, 2, 2, 3, 3]);
});

test.each(FAILED_CALLS)(
  "has a model that writes bad calls alone answer without: %s",
  async (_, status, error) => {
    const { client, seen, found, state } = await open((body) => (body["tools"] === undefined ? null : error));
    state.status = status;
    for (const n of [1, 2, 3]) await client.ask(about(n, withTools));
    expect(found).toEqual([]);
    const hadTools = seen.map(({ tools }) => tools !== undefined);
    expect(hadTools).toEqual([1, 2, 3].flatMap(() => [true, true, true, false]));
  },
);

test("believes no lack of what one question alone is refused for, however often it is asked", async () => {
  const { client, seen, found } = await open((body) =>
    JSON.stringify(body["messages"]).includes("odd") && (body["tools"] ?? body["temperature"]) !== undefined
      ? { error: { message: "Something is wrong with the tools and the temperature.", code: "odd" } }
      : null,
  );
  const odd = { ...withTools, input: '{"text":"odd"}' };
  for (let n = 0; n < 3; n += 1) await client.ask(odd);
  expect(found).toEqual([]);
  await client.ask(withTools);
  expect(seen.at(-1)).toMatchObject({ temperature: 0.2 });
  expect(seen.at(-1)).toHaveProperty("tools");
});

test("takes a refusal of what the endpoint took before for the request's own fault", async () => {
  const { client, seen, found } = await open((body) =>
    Number(body["temperature"]) > 1 ? refusal("temperature") : null,
  );
  await client.ask({ ...call, temperature: 0 });
  for (const n of [1, 2, 3]) await client.ask({ ...about(n), temperature: 1.5 });
  expect(found).toEqual([]);
  await client.ask({ ...call, temperature: 1 });
  expect(seen.map(({ temperature }) => temperature)).toEqual([
    0,
    1.5,
    undefined,
    1.5,
    undefined,
    1.5,
    undefined,
    1,
  ]);
});
