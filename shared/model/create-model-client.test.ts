import type { IncomingHttpHeaders } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { ModelClientOptions } from "./create-model-client.ts";
import type { ModelClient } from "./model-client.ts";
import { CALL as call, openEndpoint, sendJson } from "./testing/index.ts";
import type { Answer } from "./testing/index.ts";

const clientOf = (answer: Answer, options: Partial<ModelClientOptions> = {}): Promise<ModelClient> =>
  openEndpoint(answer, { timeoutMs: 5_000, ...options });

function completion(content: unknown, more: object = {}): object {
  return {
    id: "c",
    object: "chat.completion",
    model: "gpt-5-mini-2025-08-07",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
    usage: { prompt_tokens: 100, completion_tokens: 10 },
    ...more,
  };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    sendJson(response, status, body, headers);

const SECRET = "sk-live-secret bullmq:rateLimitExceeded";

/** Nothing of what the endpoint said is in what we throw, however deep one looks. */
async function failureOf(asked: Promise<unknown>): Promise<Error & { code?: string }> {
  const error: unknown = await asked.then(
    () => new Error("answered"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Error);
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain("secret");
  expect((error as Error).cause).toBeUndefined();
  return error as Error & { code?: string };
}

describe("what is sent", () => {
  test("holds instructions, history, input and re-ask in order, a strict schema and a clean name", async () => {
    let sent: Record<string, unknown> = {};
    let headers: IncomingHttpHeaders = {};
    const client = await clientOf((response, body) => {
      sent = JSON.parse(body) as Record<string, unknown>;
      ({ headers } = response.req);
      json(200, completion("{}"))(response, body);
    });
    await client.ask({
      ...call,
      history: [{ role: "assistant", content: "earlier \ud800" }],
      reask: { previousAnswer: "{", problems: "/route: missing" },
      tokensMax: 50,
    });
    expect(sent).toMatchObject({ model: "gpt-5-mini", max_completion_tokens: 50 });
    expect(sent["response_format"]).toMatchObject({
      type: "json_schema",
      json_schema: { name: "triage_route_1", strict: true, schema: { additionalProperties: false } },
    });
    const messages = sent["messages"] as { role: string; content: string }[];
    expect(messages.map(({ role }) => role)).toEqual(["system", "assistant", "user", "assistant", "user"]);
    expect(messages[1]?.content).toBe("earlier \ufffd");
    expect(messages[2]?.content).toBe(call.input);
    expect(messages[4]?.content).toContain("/route: missing");
    expect(headers["x-suture-agent"]).toBeUndefined();
  });

  test("is nothing where the pictures are more or larger than endpoints take", async () => {
    let asked = 0;
    const client = await clientOf(() => void (asked += 1));
    const picture = (length: number) => ({ mimeType: "image/png" as const, bytes: new Uint8Array(length) });
    const many = Array.from({ length: 9 }, () => picture(1));
    for (const images of [[picture(5 * 1024 * 1024 + 1)], many, Array(3).fill(picture(5 * 1024 * 1024))])
      await expect(client.ask({ ...call, images })).rejects.toMatchObject({ code: "MODEL_IMAGES_REFUSED" });
    expect(asked).toBe(0);
  });

  test("spells the schema out in the instructions when the answer is no object", async () => {
    let sent: Record<string, unknown> = {};
    const client = await clientOf((response, body) => {
      sent = JSON.parse(body) as Record<string, unknown>;
      json(200, completion("[1]"))(response, body);
    });
    const answer = await client.ask({
      ...call,
      jsonSchema: { type: "array", items: { type: "number" }, "x-a": 1 },
    });
    expect(answer.text).toBe("[1]");
    expect(sent["response_format"]).toBeUndefined();
    expect(JSON.stringify(sent["messages"])).toContain('{\\"type\\":\\"array\\"');
  });
});

describe("an answer", () => {
  test.each([
    ["missing", undefined],
    ["broken", { prompt_tokens: 1.5, completion_tokens: 1e300 }],
    ["nothing for something", { prompt_tokens: 0, completion_tokens: 0 }],
  ])("has an estimated usage and a cost above zero when the report is %s", async (_, usage) => {
    const client = await clientOf(json(200, completion('{"route":"refunds"}', { usage })));
    const answer = await client.ask(call);
    expect(answer.usage.output_tokens).toBe(5);
    expect(answer.usage.input_tokens).toBeGreaterThan(5);
    expect(answer.cost).toBeGreaterThan(0);
  });

  test("is read from content parts, from another content type, and without a model's name", async () => {
    const client = await clientOf((response) => {
      const body = completion([{ type: "text", text: "{}" }], { model: null });
      response.writeHead(200, { "content-type": "text/plain" }).end(JSON.stringify(body));
    });
    expect(await client.ask(call)).toMatchObject({ text: "{}", model: "gpt-5-mini" });
  });

  test.each([
    { finish_reason: "stop", message: { content: null, refusal: SECRET } },
    { finish_reason: "content_filter", message: { content: "half" } },
  ])("that refuses is an error which still says what it cost (%#)", async (choice) => {
    const client = await clientOf(json(200, completion("", { choices: [choice] })));
    const error = await failureOf(client.ask(call));
    expect(error).toMatchObject({ code: "MODEL_REFUSAL", failureClass: "content_error" });
    expect(error).toMatchObject({ answer: { finish: "refusal", text: "", usage: { output_tokens: 10 } } });
  });
});

describe("a failing endpoint", () => {
  test.each([
    [400, "MODEL_REQUEST_REFUSED", "handler_error"],
    [401, "MODEL_MISCONFIGURED", "unavailable"],
    [307, "MODEL_MISCONFIGURED", "unavailable"],
    [413, "MODEL_INPUT_REFUSED", "content_error"],
    [408, "MODEL_TIMEOUT", "timeout"],
    [409, "MODEL_UNAVAILABLE", "unavailable"],
    [429, "MODEL_RATE_LIMITED", "rate_limited"],
    [503, "MODEL_UNAVAILABLE", "unavailable"],
  ])("with status %i is %s, and its words are dropped", async (status, code, failureClass) => {
    let asked = 0;
    const client = await clientOf((response, body) => {
      asked += 1;
      json(
        status,
        { error: { message: SECRET, code: SECRET, type: SECRET } },
        { location: "/secret" },
      )(response, body);
    });
    expect(await failureOf(client.ask(call))).toMatchObject({ code, failureClass });
    expect(asked).toBe(1);
  });

  test.each([
    [400, { param: "response_format.json_schema", code: "invalid_json_schema" }, "response_format"],
    [400, { param: "temperature", code: "unsupported_value" }, "temperature"],
    [404, { param: null, code: "model_not_found" }, null],
  ])(
    "that refuses our request with %i says what it names, of a closed list (%#)",
    async (status, error, parameter) => {
      const client = await clientOf(json(status, { error: { message: SECRET, ...error } }));
      const failure = await failureOf(client.ask(call));
      expect(failure).toMatchObject({ code: "MODEL_MISCONFIGURED", parameter });
    },
  );

  test("that refuses with 400 and names nothing of ours leaves open what is wrong", async () => {
    const error = { message: SECRET, param: SECRET, code: SECRET };
    const failure = await failureOf((await clientOf(json(400, { error }))).ask(call));
    expect(failure).toMatchObject({ code: "MODEL_REQUEST_REFUSED", failureClass: "handler_error" });
  });

  test("that names a time with 429 is waited for that long", async () => {
    const client = await clientOf(json(429, {}, { "retry-after": "7" }));
    expect(await failureOf(client.ask(call))).toMatchObject({ retryAfterMs: 7_000 });
  });

  test.each([
    ["HTML", "<html>secret</html>"],
    ["no choice", '{"choices":[]}'],
    ["nothing", ""],
  ])("that answers 200 with %s is unavailable", async (_, body) => {
    const client = await clientOf((response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    });
    expect(await failureOf(client.ask(call))).toMatchObject({
      code: "MODEL_UNAVAILABLE",
      reason: "not_a_completion",
    });
  });

  test("that sends ten megabytes is cut off at the limit while it sends", async () => {
    let bytesSent = 0;
    const client = await clientOf((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const chunk = "x".repeat(65_536);
      const send = (): void => {
        if (response.destroyed || bytesSent > 50_000_000) return;
        bytesSent += chunk.length;
        response.write(chunk, send);
      };
      send();
    });
    expect(await failureOf(client.ask(call))).toMatchObject({
      code: "MODEL_ANSWER_TOO_LARGE",
      failureClass: "parse_error",
    });
    expect(bytesSent).toBeLessThan(20_000_000);
  });

  test("that sends a small archive of a large body is cut off at the limit, and an honest archive is read", async () => {
    const archived =
      (body: string): Answer =>
      (response) => {
        response
          .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
          .end(gzipSync(body));
      };
    const bomb = await clientOf(archived("x".repeat(20_000_000)));
    expect(await failureOf(bomb.ask(call))).toMatchObject({ code: "MODEL_ANSWER_TOO_LARGE" });
    const honest = await clientOf(archived(JSON.stringify(completion("{}"))));
    expect(await honest.ask(call)).toMatchObject({ text: "{}" });
  });

  test("that hangs, before or within the body, times out", async () => {
    const silent = await clientOf(() => undefined);
    expect(await failureOf(silent.ask({ ...call, timeoutMs: 100 }))).toMatchObject({ code: "MODEL_TIMEOUT" });
    const dripping = await clientOf((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 10);
      response.on("close", () => clearInterval(timer));
    });
    expect(await failureOf(dripping.ask({ ...call, timeoutMs: 150 }))).toMatchObject({
      code: "MODEL_TIMEOUT",
    });
  });
});

describe("ending early", () => {
  test("by close makes calls in flight and later calls unavailable", async () => {
    const client = await clientOf(() => undefined);
    const inFlight = client.ask(call);
    client.close();
    expect(await failureOf(inFlight)).toMatchObject({ code: "MODEL_UNAVAILABLE", reason: "closed" });
    expect(await failureOf(client.ask(call))).toMatchObject({ reason: "closed" });
  });
});
