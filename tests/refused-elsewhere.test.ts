import { expect, test } from "vitest";
import { ANSWER, openRefusing as open } from "./support/refusing-endpoint.ts";

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
  const { ask, found } = await open((sent) => (sent.includes(part) ? { status, body } : null));
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
  const { ask, seen } = await open(() => ({ status, body }));
  expect(await ask().catch((error: { code?: string }) => error.code)).toBe(code);
  expect(seen).toHaveLength(1);
});
