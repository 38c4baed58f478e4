import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createModelClient } from "./create-model-client.ts";
import type { ModelCall } from "./model-client.ts";
import type { FoundLack } from "./negotiate.ts";

type Body = Readonly<Record<string, unknown>>;

/** A client of an endpoint that refuses what `refuse` gives an error for, and answers everything else. */
async function open(refuse: (body: Body) => object | null, said = '{"route":"sales"}') {
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      // The client's own request.
      const body = JSON.parse(text) as Body;
      seen.push(body);
      const error = state.refuse(body);
      const message = { role: "assistant", content: state.said };
      const answer = { choices: [{ index: 0, finish_reason: "stop", message }] };
      response.writeHead(error === null ? 200 : 400, { "content-type": "application/json" });
      response.end(JSON.stringify(error ?? answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  const seen: Body[] = [];
  const found: FoundLack[] = [];
  const state = { refuse, said };
  const client = createModelClient({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiKey: "test",
    models: { router: "small", worker: "small", surgeon: "large" },
    timeoutMs: 60_000,
    onLack: (one) => found.push(one),
  });
  onTestFinished(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  return { client, seen, found, state };
}

const call: ModelCall = {
  tier: "worker",
  instructions: "Sort.",
  input: '{"text":"hello"}',
  schemaName: "triage.route@1",
  jsonSchema: {
    type: "object",
    properties: { route: { type: "string" } },
    required: ["route"],
    additionalProperties: false,
  },
  signal: new AbortController().signal,
  agent: "triage@1",
  step: "route",
};

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
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.ask(call)));
  expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(['{"route":"sales"}']));
  expect(found).toEqual([{ model: "small", lack: "strict_schema", schema: null, mode: "json_mode" }]);
  expect(seen.length).toBeLessThanOrEqual(40);
  const before = seen.length;
  await client.ask(call);
  expect(seen.slice(before).map(modeOf)).toEqual(["json_object"]);
});

test("tells models apart", async () => {
  const { client, seen, found } = await open((body) =>
    body["model"] === "small" && body["temperature"] !== undefined ? refusal("temperature") : null,
  );
  await client.ask({ ...call, temperature: 0 });
  await client.ask({ ...call, tier: "surgeon", temperature: 0 });
  expect(found.map(({ model, lack }) => `${model} ${lack}`)).toEqual(["small temperature"]);
  expect(seen.map(({ temperature }) => temperature)).toEqual([0, undefined, 0]);
});

test("takes a schema that alone is refused for a fault of that schema", async () => {
  const { client, seen, found } = await open((body) =>
    JSON.stringify(body).includes("scores_1") && modeOf(body) === "json_schema"
      ? refusal("response_format.json_schema")
      : null,
  );
  const odd = { ...call, schemaName: "scores@1" };
  for (const one of [call, odd, call]) await client.ask(one);
  expect(found).toEqual([{ model: "small", lack: "strict_schema", schema: "scores@1", mode: "json_mode" }]);
  expect(seen.map(modeOf)).toEqual(["json_schema", "json_schema", "json_object", "json_schema"]);
});

test("negotiates schemas that can be enforced apart from those that cannot", async () => {
  const { client, seen, found } = await open((body) =>
    JSON.stringify(body).includes('"strict":false') ? refusal("response_format.json_schema.strict") : null,
  );
  for (const one of [loose, call, loose]) await client.ask(one);
  expect(found.map(({ lack }) => lack)).toEqual(["loose_schema"]);
  expect(seen.map(modeOf)).toEqual(["json_schema", "json_object", "json_schema", "json_object"]);
});

test("asks an endpoint that refuses every form in one alone, keeps nothing of it, and goes on when it is well", async () => {
  const { client, seen, found, state } = await open(() => refusal("response_format"));
  const ask = () => client.ask(call).catch((error: { code?: string }) => error.code);
  expect(await ask()).toBe("MODEL_MISCONFIGURED");
  expect(seen.map(modeOf)).toEqual(["json_schema", "json_object", "tool"]);
  for (let n = 0; n < 3; n += 1) expect(await ask()).toBe("MODEL_MISCONFIGURED");
  expect(seen).toHaveLength(6);
  expect(found).toEqual([]);
  state.refuse = () => null;
  expect(await ask()).toMatchObject({ text: '{"route":"sales"}' });
  expect(modeOf(seen.at(-1) ?? {})).toBe("json_schema");
});

test("knows a field by its name however the endpoint escapes it", async () => {
  const { client, found } = await open(() => null, '{"gr\\u00f6\\u00dfe":"7"}');
  const properties = { größe: { type: "string" } };
  await client.ask({ ...call, jsonSchema: { ...call.jsonSchema, properties, required: ["größe"] } });
  expect(found).toEqual([]);
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
    await client.ask(call);
    state.said = '{"route":"sales"}';
    await client.ask(again);
  }
  expect(found.map(({ lack }) => lack)).toEqual(["reading_schema"]);
  await client.ask(call);
  expect(seen.map(isSpelledOut)).toEqual([false, true, false, true, false, true, true]);
  expect(new Set(seen.map(modeOf))).toEqual(new Set(["json_schema"]));
});

test("takes a first answer that is bad for no more than that", async () => {
  const { client, seen, found, state } = await open(() => null, PROSE);
  await client.ask(call);
  state.said = '{"route":"sales"}';
  await client.ask(again);
  await client.ask(call);
  state.said = PROSE;
  for (let n = 0; n < 3; n += 1) await client.ask(call);
  await client.ask(again);
  expect(found).toEqual([]);
  expect(seen.map(isSpelledOut)).toEqual([false, true, false, false, false, false, false]);
});

test("takes a bad answer for no more than that where the schema was read before", async () => {
  const { client, found, state } = await open(() => null);
  await client.ask(call);
  state.said = "I would say that it is about sales.";
  await client.ask(call);
  expect(found).toEqual([]);
});

test("does not take words about the input for words about a parameter that was not sent", async () => {
  const error = {
    message: "The temperature of the patient and his tools are not allowed here.",
    code: "refused",
  };
  const { client, seen } = await open(() => ({ error }));
  await expect(client.ask(call)).rejects.toMatchObject({ code: "MODEL_REQUEST_REFUSED" });
  expect(seen).toHaveLength(1);
});

test("ends a call that waits for what another one finds, when it is aborted", async () => {
  const { client } = await open((body) =>
    modeOf(body) === "json_schema" ? refusal("response_format") : null,
  );
  const controller = new AbortController();
  const both = [client.ask(call), client.ask({ ...call, signal: controller.signal }).catch(() => "ended")];
  controller.abort(new Error("enough"));
  expect(await both[1]).toBe("ended");
  expect(await both[0]).toMatchObject({ finish: "stop" });
});
