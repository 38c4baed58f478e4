import { expect, test } from "vitest";
import type { FoundLack, ModelAnswer, ModelCall } from "#shared/model";
import { CALL, openEndpoint, sendJson } from "#shared/model/testing";

/** Answer of the endpoint to every request that it does not refuse. */
const ANSWER = '{"route":"sales"}';

/** A refusal as it is sent; null for a request that is answered. */
type Refuse = (sent: string) => { readonly status: number; readonly body: unknown } | null;

/** A client of an endpoint that refuses what a test says. */
interface Refusing {
  /** Asks with a schema, a temperature and a bound, each time about something else. */
  readonly ask: (more?: Partial<ModelCall>) => Promise<ModelAnswer>;
  readonly seen: string[];
  readonly found: FoundLack[];
}

async function openRefusing(refuse: Refuse): Promise<Refusing> {
  const seen: string[] = [];
  const found: FoundLack[] = [];
  let asked = 0;
  const client = await openEndpoint(
    (response, text) => {
      seen.push(text);
      const refusal = refuse(text);
      const message = { role: "assistant", content: ANSWER };
      const answer = { choices: [{ index: 0, finish_reason: "stop", message }] };
      sendJson(response, refusal?.status ?? 200, refusal?.body ?? answer);
    },
    { models: { router: "m", worker: "m", surgeon: "m" }, onLack: (one) => found.push(one) },
  );
  const ask = (more: Partial<ModelCall> = {}) => {
    const input = JSON.stringify({ text: `Grüße ${(asked += 1)}` });
    return client.ask({ ...CALL, input, temperature: 0.5, tokensMax: 100, ...more });
  };
  return { ask, seen, found };
}

/** Refusals of providers and servers that no dialect of the tests speaks, in their words. */

test.each<[string, number, unknown, string, readonly string[]]>([
  [
    "TGI",
    422,
    {
      error:
        "Failed to deserialize the JSON body into the target type: response_format: unknown variant `json_schema`, expected `json_object`",
      error_type: "validation",
    },
    "json_schema",
    ["strict_schema"],
  ],
  [
    "xAI",
    400,
    {
      code: "Client specified an invalid argument",
      error: "Argument not supported on this model: temperature",
    },
    "temperature",
    ["temperature"],
  ],
  [
    "Azure AI",
    400,
    {
      error: {
        code: "Bad Request",
        message:
          "Extra parameters ['max_completion_tokens'] are not allowed when extra-parameters is not set or set to be 'error'.",
      },
    },
    "max_completion_tokens",
    ["max_completion_tokens"],
  ],
  [
    "a Chinese proxy",
    400,
    { error: { code: "1210", message: "API 调用参数有误，请检查文档。" } },
    "json_schema",
    ["strict_schema"],
  ],
])("%s: a refusal with %i is found to be of one part", async (_, status, body, part, lacks) => {
  const { ask, found } = await openRefusing((sent) => (sent.includes(part) ? { status, body } : null));
  expect(await ask()).toMatchObject({ text: ANSWER });
  expect(found).toEqual([]);
  expect(await ask()).toMatchObject({ text: ANSWER });
  expect(found.map(({ lack }) => lack).toSorted()).toEqual([...lacks].toSorted());
});

test.each<[string, number, unknown, string]>([
  [
    "Together's length",
    400,
    { error: { message: "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193." } },
    "MODEL_INPUT_REFUSED",
  ],
  [
    "a rate",
    429,
    { error: { message: "Rate limit reached", type: "tokens", code: "rate_limit_exceeded" } },
    "MODEL_RATE_LIMITED",
  ],
  ["an empty body", 400, "", "MODEL_REQUEST_REFUSED"],
  ["a body of another kind", 400, { success: false, errors: [{ code: 5006 }] }, "MODEL_REQUEST_REFUSED"],
  [
    "a fault behind a proxy",
    500,
    { error: { message: "Invalid response format from upstream" } },
    "MODEL_UNAVAILABLE",
  ],
])("%s with %i is %s", async (_, status, body, code) => {
  const { ask, seen } = await openRefusing(() => ({ status, body }));
  expect(await ask().catch((error: { code?: string }) => error.code)).toBe(code);
  expect(seen).toHaveLength(1);
});

/** Refusals of messages: of their roles, and of pictures, in the words of several servers. */

test.each([
  [400, { object: "error", message: "System role not supported", code: 400 }],
  [
    422,
    {
      error: "Template error: syntax error: Conversation roles must alternate user/assistant/",
      error_type: "x",
    },
  ],
])("a template that knows no system is asked in the user's turn (%i, %j)", async (status, body) => {
  const { ask, seen, found } = await openRefusing((sent) =>
    sent.includes('"role":"system"') ? { status, body } : null,
  );
  const reask = { previousAnswer: "", problems: "/route: missing" };
  expect(await ask({ history: [{ role: "user", content: "earlier" }], reask })).toMatchObject({
    text: ANSWER,
  });
  await ask();
  expect(found.map(({ lack }) => lack)).toEqual(["system_role"]);
  // The client's own request.
  const { messages } = JSON.parse(seen[1] ?? "") as { messages: { role: string; content: string }[] };
  expect(messages.map(({ role }) => role)).toEqual(["user"]);
  for (const part of ["Sort.", "earlier", '{"text":"Grüße 1"}', "/route: missing"])
    expect(messages[0]?.content).toContain(part);
});

test("pictures stay in the user's turn beside what the system says", async () => {
  const { ask, seen } = await openRefusing((sent) =>
    sent.includes('"role":"system"') ? { status: 400, body: { message: "System role not supported" } } : null,
  );
  await ask({ images: [{ mimeType: "image/png", bytes: new Uint8Array(3) }] });
  expect(JSON.parse(seen[1] ?? "")).toMatchObject({
    messages: [
      {
        role: "user",
        content: [{ text: "Sort." }, { text: '{"text":"Grüße 1"}' }, { type: "image_url" }],
      },
    ],
  });
});

const SEES_NOTHING: [number, unknown][] = [
  [
    400,
    {
      error: {
        message: "Invalid content type. image_url is only supported by certain models.",
        type: "invalid_request_error",
      },
    },
  ],
  [422, { error: "messages[1]: unknown variant `image_url`, expected `text`" }],
  [
    500,
    { error: { code: 500, message: 'Failed to parse messages: Unsupported content part type: "image_url"' } },
  ],
];

test.each(SEES_NOTHING)(
  "a model that sees no pictures is no fault of the others (%i, %j)",
  async (status, body) => {
    const { ask, seen } = await openRefusing(() => ({ status, body }));
    const picture = { mimeType: "image/png" as const, bytes: new Uint8Array(3) };
    const refused = { code: "MODEL_INPUT_REFUSED", failureClass: "content_error", reason: "pictures" };
    await expect(ask({ images: [picture] })).rejects.toMatchObject(refused);
    expect(seen).toHaveLength(1);
    await expect(ask()).rejects.not.toMatchObject({ code: "MODEL_INPUT_REFUSED" });
  },
);
