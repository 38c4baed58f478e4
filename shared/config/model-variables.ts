import { REASONING_EFFORTS, STREAM_MODES } from "./model-room.ts";
import {
  choice,
  DAY_MS,
  decimal,
  host,
  integer,
  optionalChoice,
  optionalHttpUrl,
  optionalText,
  port,
  secret,
} from "./variable.ts";
import type { Variable } from "./variable.ts";

const modelName = (example: string): Variable<string | null> =>
  optionalText(/^\S{1,200}$/, "must be a model's name without spaces", example);

/** The variables of models, and of the bundled model server. */
export const MODEL_VARIABLES = {
  /** API key of the model endpoint. Unset with the base URL: a rehearsal, in which the bundled server answers. */
  OPENAI_API_KEY: secret(/^[\x21-\x7e]{1,1000}$/, "must be printable ASCII without spaces", "sk-…"),
  /** Base URL of an endpoint that speaks OpenAI's API. Unset: OpenAI's own. */
  OPENAI_BASE_URL: optionalHttpUrl("http://127.0.0.1:11434/v1"),
  /** Model of the tier `router`. Default: `gpt-5-nano`; in a rehearsal `rehearsal-router`. */
  SUTURE_MODEL_ROUTER: modelName("gpt-5-nano"),
  /** Model of the tier `worker`. Default: `gpt-5-mini`; in a rehearsal `rehearsal-worker`. */
  SUTURE_MODEL_WORKER: modelName("gpt-5-mini"),
  /** Model of the surgeon. Default: `gpt-5`; in a rehearsal `rehearsal-surgeon`. */
  SUTURE_MODEL_SURGEON: modelName("gpt-5"),
  /** Models that a task's user may prefer (`user_chat_model`) to that of the tier `worker`. Default: none. */
  SUTURE_USER_MODELS: optionalText(
    /^[\x21-\x2b\x2d-\x7e]{1,200}(?:,[\x21-\x2b\x2d-\x7e]{1,200}){0,99}$/,
    "must be names of models without spaces, with commas between them",
    "gpt-5,gpt-5-mini",
  ),
  /** USD per million tokens by model (`input`, `output`, `cached` input), merged over the built-in table. */
  SUTURE_MODEL_PRICES: optionalText(
    /^(?:@.{1,1000}|\{[^]*\})$/,
    "must be a JSON object, or @ and the path of a file that holds one",
    '{"my-model":{"input":0.25,"output":2}}',
  ),
  /** `reasoning_effort` of the tier's requests. Unset: it is not sent, and the model reasons as it does by itself. */
  SUTURE_MODEL_ROUTER_EFFORT: optionalChoice(REASONING_EFFORTS, "low"),
  /** `reasoning_effort` of the tier's requests. Unset: it is not sent, and the model reasons as it does by itself. */
  SUTURE_MODEL_WORKER_EFFORT: optionalChoice(REASONING_EFFORTS, "low"),
  /** `reasoning_effort` of the tier's requests. Unset: it is not sent, and the model reasons as it does by itself. */
  SUTURE_MODEL_SURGEON_EFFORT: optionalChoice(REASONING_EFFORTS, "medium"),
  /**
   * Tokens added to the bound of each answer of the tier where its model reasons, because providers count reasoning as
   * part of the answer. Whether a model reasons is learned from its answers, or from the effort that is set.
   */
  SUTURE_MODEL_ROUTER_REASONING_TOKENS: integer({ min: 0, max: 1_000_000, fallback: 4096 }),
  /** As `SUTURE_MODEL_ROUTER_REASONING_TOKENS`. */
  SUTURE_MODEL_WORKER_REASONING_TOKENS: integer({ min: 0, max: 1_000_000, fallback: 4096 }),
  /** As `SUTURE_MODEL_ROUTER_REASONING_TOKENS`. */
  SUTURE_MODEL_SURGEON_REASONING_TOKENS: integer({ min: 0, max: 1_000_000, fallback: 4096 }),
  /** By tier. `on`: answers come as generated. `auto`: where the model reasons and the endpoint streams counts. */
  SUTURE_MODEL_ROUTER_STREAM: choice(STREAM_MODES, "off"),
  /** As `SUTURE_MODEL_ROUTER_STREAM`. */
  SUTURE_MODEL_WORKER_STREAM: choice(STREAM_MODES, "off"),
  /** As `SUTURE_MODEL_ROUTER_STREAM`. */
  SUTURE_MODEL_SURGEON_STREAM: choice(STREAM_MODES, "off"),
  /** Maximum time from one word of a streamed answer to the next, in milliseconds. */
  SUTURE_MODEL_STREAM_SILENT_MS: integer({ min: 1, max: DAY_MS, fallback: 30_000 }),
  /** Maximum time of a call whose streamed answer has begun, in milliseconds. The call's own limit holds before. */
  SUTURE_MODEL_STREAM_TIMEOUT_MS: integer({ min: 1, max: DAY_MS, fallback: 600_000 }),
  /** Maximum tokens, reasoning included, of an answer asked for again with twice the room; first ones are free. */
  SUTURE_MODEL_ANSWER_TOKENS_MAX: integer({ min: 256, max: 1_000_000, fallback: 32_768 }),
  /** Time limit of one model call, in ms. */
  SUTURE_MODEL_TIMEOUT_MS: integer({ min: 1, max: DAY_MS, fallback: 60_000 }),
  /** Time from the opening of the model circuit breaker to the first probe, in ms; doubles with each that fails. */
  SUTURE_MODEL_PROBE_MS: integer({ min: 10, max: 3_600_000, fallback: 1000 }),
  /** Maximum time between two probes, in ms; between any two where the settings are wrong. */
  SUTURE_MODEL_PROBE_MS_MAX: integer({ min: 10, max: 3_600_000, fallback: 30_000 }),
  /** Model calls in the first second after the circuit breaker closed; doubled every two seconds. */
  SUTURE_MODEL_DRAIN_PER_SECOND: integer({ min: 1, max: 10_000, fallback: 10 }),
  /** Address that the bundled model server and sandbox listen on. */
  SUTURE_REHEARSAL_HOST: host,
  /** Port of the bundled model server and sandbox. 0 takes any free port. */
  SUTURE_REHEARSAL_PORT: port(8082),
  /** Share of answers that a rehearsal damages on purpose, 0 to 1. */
  SUTURE_REHEARSAL_FAULT_RATE: decimal({ min: 0, max: 1, fallback: 0.15 }),
  /** Seed of a rehearsal's random choices. */
  SUTURE_REHEARSAL_SEED: integer({ min: 0, max: 4_294_967_295, fallback: 1 }),
};
