import { openAiError, wrapAsOpenAi } from "./dialect.ts";
import type { Dialect, Failures } from "./dialect.ts";

const SOURCES = [
  "https://platform.claude.com/docs/en/api/openai-sdk",
  "https://platform.claude.com/docs/en/api/errors",
];

const FAILURES: Failures = {
  wrong_key: openAiError(401, { message: "invalid x-api-key", type: "authentication_error", code: null }),
  unknown_model: openAiError(404, { message: "model: nothing", type: "not_found_error" }),
  rate_limited: openAiError(
    429,
    { message: "This request would exceed your organization's rate limit.", type: "rate_limit_error" },
    { "retry-after": "3", "anthropic-ratelimit-requests-remaining": "0" },
  ),
  // Status 400, and no code of its own: https://github.com/continuedev/continue/issues/5499
  out_of_quota: openAiError(400, {
    message:
      "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
  }),
  too_long: openAiError(400, { message: "prompt is too long: 208310 tokens > 200000 maximum" }),
  filtered: openAiError(400, { message: "Output blocked by content filtering policy" }),
};

/**
 * Anthropic's OpenAI-compatible door. Unsupported fields are left unread rather than refused: of those that Suture
 * sends, `response_format` and `reasoning_effort`. Tools are read, their `strict` is not.
 */
export const anthropic: Dialect = {
  name: "Anthropic",
  sources: SOURCES,
  fields: { json_schema: "ignores", json_object: "ignores", reasoning_effort: "ignores" },
  failures: FAILURES,
  wrap: (said) => ({ ...wrapAsOpenAi(said), system_fingerprint: null }),
  headers: { "anthropic-ratelimit-requests-remaining": "49" },
};
