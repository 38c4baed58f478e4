import { z } from "zod";
import { attachedQueues } from "./attached-queues.ts";
import { REASONING_EFFORTS, STREAM_MODES } from "./model-room.ts";
import { OUTSIDE_VARIABLES, teamName, token } from "./outside-variables.ts";
import { parseRedisUrl } from "./redis-url.ts";
import { RETRY_DEFAULTS } from "./retry-defaults.ts";
import type { Secret } from "./secret.ts";
import {
  choice,
  decimal,
  integer,
  optionalChoice,
  optionalHttpUrl,
  optionalPort,
  optionalText,
  port,
  secretOf,
  text,
} from "./variable.ts";
import type { Variable } from "./variable.ts";

/** Which API keys belong to one person: `key=person` pairs. */
const people: Variable<ReadonlyMap<string, string>> = {
  schema: z
    .string()
    .regex(
      /^[A-Za-z0-9._@-]{1,64}=[A-Za-z0-9._@-]{1,64}(?:,[A-Za-z0-9._@-]{1,64}=[A-Za-z0-9._@-]{1,64}){0,999}$/,
      "must be key=person, several with commas between them",
    )
    // The pattern lets through nothing but pairs.
    .transform((pairs) => new Map(pairs.split(",").map((pair) => pair.split("=") as [string, string])))
    .optional()
    .transform((known): ReadonlyMap<string, string> => known ?? new Map()),
  example: "ada-phone=ada,ada-laptop=ada",
};

const DAY_MS = 86_400_000;

const redisUrl = secretOf(
  z.string().check((context) => {
    const parsed = parseRedisUrl(context.value);
    if ("problem" in parsed) context.issues.push({ code: "custom", input: "", message: parsed.problem });
  }),
  "redis://127.0.0.1:6379",
);

/** Several addresses with spaces between them, because an address may hold commas. */
const redisUrls = secretOf(
  z.string().check((context) => {
    const urls = context.value.trim().split(/\s+/);
    for (const parsed of urls.map(parseRedisUrl))
      if ("problem" in parsed) context.issues.push({ code: "custom", input: "", message: parsed.problem });
    if (urls.length > 256)
      context.issues.push({ code: "custom", input: "", message: "must be at most 256 addresses" });
  }),
  "redis://10.0.0.1:6379 redis://10.0.0.2:6379",
);

const secret = (rule: { pattern: RegExp; problem: string; example: string }): Variable<Secret | null> =>
  secretOf(z.string().regex(rule.pattern, rule.problem), rule.example);

const host = text({
  pattern: /^[A-Za-z0-9.:_-]{1,253}$/,
  problem: "must be a host name or an IP address without a port",
  fallback: "127.0.0.1",
});

const modelName = (example: string): Variable<string | null> =>
  optionalText({ pattern: /^\S{1,200}$/, problem: "must be a model's name without spaces", example });

const path = (fallback: string): Variable<string> =>
  text({ pattern: /^[^\0]{1,1000}$/, problem: "must be a path of at most 1000 characters", fallback });

const pemFile = (name: string): Variable<string | null> =>
  optionalText({
    pattern: /^@.{1,1000}$/,
    problem: "must be @ and the path of a PEM file",
    example: `@tls/${name}`,
  });

/** Every variable that Suture reads. The standard `OTEL_*` ones that are not here are read by OpenTelemetry itself. */
export const VARIABLES = {
  REDIS_URL: redisUrl,
  SUTURE_REDIS_URLS: redisUrls,
  SUTURE_SHARDS: integer({ min: 1, max: 256, fallback: 1 }),
  SUTURE_DATA_DIR: path(".suture"),
  SUTURE_TEAMS: path("services/agents"),
  SUTURE_CODE_ISOLATION: choice(["require", "off"], "require"),
  SUTURE_CHECKOUTS: path("services/agents/coder/samples/checkouts"),
  SUTURE_SOURCES: path("services/agents/research/samples/sources"),
  SUTURE_SOURCES_URL: optionalHttpUrl("https://search.example.org/v1"),
  SUTURE_SOURCES_KEY: token,
  SUTURE_READER_URL: optionalHttpUrl("http://reader:8090"),
  SUTURE_READER_TOKEN: token,
  SUTURE_PREFIX: text({
    pattern: /^[a-z0-9][a-z0-9_-]{0,31}$/,
    problem: "must be 1 to 32 lower-case letters, digits, - or _",
    fallback: "suture",
  }),
  SUTURE_REDIS_DURABILITY: choice(["fast", "durable", "replicated"], "fast"),
  SUTURE_REDIS_USERS: optionalText({
    pattern: /^@.{1,1000}$/,
    problem: "must be @ and the path of the passwords that `suture redis-acl` wrote",
    example: "@acl/passwords.json",
  }),
  SUTURE_REDIS_REPLICAS_MIN: integer({ min: 1, max: 16, fallback: 1 }),
  SUTURE_REDIS_WAIT_MS: integer({ min: 10, max: 4000, fallback: 1000 }),
  SUTURE_REDIS_ANSWER_MS: integer({ min: 50, max: 60_000, fallback: 1000 }),
  SUTURE_REDIS_TLS_CA: pemFile("ca.pem"),
  SUTURE_REDIS_TLS_CERT: pemFile("client.pem"),
  SUTURE_REDIS_TLS_KEY: pemFile("client-key.pem"),
  SUTURE_REDIS_TLS_SERVERNAME: optionalText({
    pattern: /^[A-Za-z0-9.:_-]{1,253}$/,
    problem: "must be a host name",
    example: "redis.internal",
  }),
  SUTURE_REDIS_SENTINEL_PASSWORD: secret({
    pattern: /^[^\0]{1,1000}$/,
    problem: "must be at most 1000 characters",
    example: "a-long-random-secret",
  }),

  SUTURE_GATEWAY_HOST: host,
  SUTURE_GATEWAY_PORT: port(8080),
  SUTURE_CONSOLE_HOST: host,
  SUTURE_CONSOLE_PORT: port(8081),
  SUTURE_ATTACHED_QUEUES: attachedQueues,
  SUTURE_ATTACHED_REDIS_URL: redisUrl,
  SUTURE_ATTACHED_PREFIX: text({
    pattern: /^[^\s:]{1,100}$/,
    problem: "must be at most 100 characters without spaces and colons",
    fallback: "bull",
  }),
  SUTURE_HEALTH_HOST: host,
  SUTURE_HEALTH_PORT: optionalPort(9090),
  SUTURE_API_KEYS: secret({
    pattern: /^[^\0]{1,1000000}$/,
    problem:
      "must be name:scope:secret or tenant/name:scope:secret, several with commas between them, or @ and the path of a file with them",
    example: "ada:admin:a-long-random-secret",
  }),
  SUTURE_KEYS: optionalText({
    pattern: /^@.{1,1000}$/,
    problem: "must be @ and the path of a file that `suture keys` wrote",
    example: "@keys/triage.json",
  }),
  SUTURE_KEYS_CHECK_MS: integer({ min: 50, max: 60_000, fallback: 2000 }),
  SUTURE_PEOPLE: people,
  SUTURE_READY_WITHOUT_AGENTS: choice(["true", "false"], "false"),
  SUTURE_AGENT_PROTOCOL_TEAM: teamName,
  SUTURE_PUSH_HOSTS: optionalText({
    pattern: /^[A-Za-z0-9.:_-]{1,260}(?:,[A-Za-z0-9.:_-]{1,260}){0,99}$/,
    problem: "must be hosts, with their ports, with commas between them",
    example: "push.internal:8443",
  }),
  SUTURE_A2A_GRPC_PORT: optionalPort(50051),
  SUTURE_A2A_KEYS: optionalText({
    pattern: /^[^\0]{1,1000}$/,
    problem: "must be the path of a key file",
    example: "keys/a2a.json",
  }),
  SUTURE_GATEWAY_PUBLIC_URL: optionalHttpUrl("https://suture.example.org"),
  SUTURE_GATEWAY_CONNECTIONS_MAX: integer({ min: 10, max: 1_000_000, fallback: 2000 }),
  SUTURE_REVEALS_PER_HOUR: integer({ min: 1, max: 10_000, fallback: 60 }),
  SUTURE_ANONYMOUS_CONNECTIONS_MAX: integer({ min: 1, max: 1_000_000, fallback: 100 }),
  SUTURE_BODY_BYTES_MAX: integer({ min: 1024, max: 64 * 1024 * 1024, fallback: 1024 * 1024 }),
  SUTURE_TASK_LIFE_HOURS: integer({ min: 1, max: 168, fallback: 24 }),
  SUTURE_QUEUE_LIMIT: integer({ min: 1, max: 100_000_000, fallback: 100_000 }),
  SUTURE_TENANT_SHARE: decimal({ min: 0.01, max: 1, fallback: 0.5 }),
  SUTURE_WARD_LIMIT: integer({ min: 1, max: 100_000_000, fallback: 100_000 }),

  OPENAI_API_KEY: secret({
    pattern: /^[\x21-\x7e]{1,1000}$/,
    problem: "must be printable ASCII without spaces",
    example: "sk-…",
  }),
  OPENAI_BASE_URL: optionalHttpUrl("http://127.0.0.1:11434/v1"),
  SUTURE_MODEL_ROUTER: modelName("gpt-5-nano"),
  SUTURE_MODEL_WORKER: modelName("gpt-5-mini"),
  SUTURE_MODEL_SURGEON: modelName("gpt-5"),
  SUTURE_USER_MODELS: optionalText({
    pattern: /^[\x21-\x2b\x2d-\x7e]{1,200}(?:,[\x21-\x2b\x2d-\x7e]{1,200}){0,99}$/,
    problem: "must be names of models without spaces, with commas between them",
    example: "gpt-5,gpt-5-mini",
  }),
  SUTURE_MODEL_PRICES: optionalText({
    pattern: /^(?:@.{1,1000}|\{[^]*\})$/,
    problem: "must be a JSON object, or @ and the path of a file that holds one",
    example: '{"my-model":{"input":0.25,"output":2}}',
  }),
  SUTURE_MODEL_ROUTER_EFFORT: optionalChoice(REASONING_EFFORTS, "low"),
  SUTURE_MODEL_WORKER_EFFORT: optionalChoice(REASONING_EFFORTS, "low"),
  SUTURE_MODEL_SURGEON_EFFORT: optionalChoice(REASONING_EFFORTS, "medium"),
  SUTURE_MODEL_ROUTER_REASONING_TOKENS: integer({ min: 0, max: 1_000_000, fallback: 4096 }),
  SUTURE_MODEL_WORKER_REASONING_TOKENS: integer({ min: 0, max: 1_000_000, fallback: 4096 }),
  SUTURE_MODEL_SURGEON_REASONING_TOKENS: integer({ min: 0, max: 1_000_000, fallback: 4096 }),
  SUTURE_MODEL_ROUTER_STREAM: choice(STREAM_MODES, "off"),
  SUTURE_MODEL_WORKER_STREAM: choice(STREAM_MODES, "off"),
  SUTURE_MODEL_SURGEON_STREAM: choice(STREAM_MODES, "off"),
  SUTURE_MODEL_STREAM_SILENT_MS: integer({ min: 1, max: DAY_MS, fallback: 30_000 }),
  SUTURE_MODEL_STREAM_TIMEOUT_MS: integer({ min: 1, max: DAY_MS, fallback: 600_000 }),
  SUTURE_MODEL_ANSWER_TOKENS_MAX: integer({ min: 256, max: 1_000_000, fallback: 32_768 }),
  SUTURE_MODEL_TIMEOUT_MS: integer({ min: 1, max: DAY_MS, fallback: 60_000 }),
  SUTURE_MODEL_PROBE_MS: integer({ min: 10, max: 3_600_000, fallback: 1000 }),
  SUTURE_MODEL_PROBE_MS_MAX: integer({ min: 10, max: 3_600_000, fallback: 30_000 }),
  SUTURE_MODEL_DRAIN_PER_SECOND: integer({ min: 1, max: 10_000, fallback: 10 }),
  SUTURE_REHEARSAL_HOST: host,
  SUTURE_REHEARSAL_PORT: port(8082),
  SUTURE_REHEARSAL_FAULT_RATE: decimal({ min: 0, max: 1, fallback: 0.15 }),
  SUTURE_REHEARSAL_SEED: integer({ min: 0, max: 4_294_967_295, fallback: 1 }),
  SUTURE_SANDBOX_URL: optionalHttpUrl("http://127.0.0.1:8082"),
  ...OUTSIDE_VARIABLES,
  SUTURE_SURGEON_COST_PER_CASE: decimal({ min: 0, max: 1000, fallback: 0.1 }),
  SUTURE_SURGEON_COST_PER_HOUR: decimal({ min: 0, max: 100_000, fallback: 5 }),
  SUTURE_SURGEON_COST_PER_GROUP: decimal({ min: 0, max: 100_000, fallback: 1 }),
  SUTURE_SURGEON_RESEND_MS: integer({ min: 10, max: 3_600_000, fallback: 30_000 }),
  SUTURE_SURGEON_CONCURRENCY: integer({ min: 1, max: 1000, fallback: 16 }),
  SUTURE_RECIPE_PROOFS: integer({ min: 1, max: 100, fallback: 3 }),
  SUTURE_RECIPE_PRODUCERS: integer({ min: 1, max: 20, fallback: 2 }),

  SUTURE_WEBHOOKS: secret({
    pattern: /^(?:@.{1,1000}|\[[^]*\])$/,
    problem: "must be a JSON list, or @ and the path of a file that holds one",
    example: '[{"url":"https://example.org/hook","secret":"whsec_…"}]',
  }),
  SUTURE_GROUP_MESSAGES_PER_HOUR: integer({ min: 1, max: 100_000_000, fallback: 50 }),
  SUTURE_QUARANTINE_CASES_MAX: integer({ min: 1, max: 100_000_000, fallback: 100 }),

  SUTURE_AGENT_VARIABLES: text({
    pattern: /^(?:(?:[A-Za-z_][A-Za-z0-9_]*\*?|\*)(?:\s*,\s*(?=\S)|$)){0,200}$/,
    problem:
      "must be names of variables with commas between them, each with * at its end for all that begin so",
    fallback: "",
  }),
  SUTURE_CONCURRENCY: integer({ min: 1, max: 10_000, fallback: 8 }),
  SUTURE_DELIVERIES_MAX: integer({ min: 1, max: 1000, fallback: RETRY_DEFAULTS.deliveriesMax }),
  SUTURE_RETRY_DELAY_MS: integer({ min: 1, max: DAY_MS, fallback: RETRY_DEFAULTS.delayMs }),
  SUTURE_RETRY_DELAY_MS_MAX: integer({ min: 1, max: 7 * DAY_MS, fallback: RETRY_DEFAULTS.delayMsMax }),
  SUTURE_LOCK_MS: integer({ min: 100, max: 600_000, fallback: 5000 }),
  SUTURE_STALLED_INTERVAL_MS: integer({ min: 50, max: 600_000, fallback: 2000 }),
  SUTURE_SILENT_MS: integer({ min: 1000, max: 600_000, fallback: 20_000 }),
  SUTURE_SILENT_RESTARTS_MAX: integer({ min: 1, max: 100, fallback: 5 }),
  SUTURE_CLOCK_CHECK_MS: integer({ min: 100, max: 600_000, fallback: 10_000 }),
  SUTURE_CRASHES_MAX: integer({ min: 1, max: 100, fallback: 3 }),
  SUTURE_STOP_GRACE_MS: integer({ min: 0, max: 3_600_000, fallback: 10_000 }),
  SUTURE_FINISHED_JOBS_MAX: integer({ min: 100, max: 10_000_000, fallback: 20_000 }),
  SUTURE_PEOPLE_AUDIT_LENGTH: integer({ min: 1000, max: 100_000_000, fallback: 1_000_000 }),
  SUTURE_REDIS_MEMORY_SHARE: decimal({ min: 0.01, max: 1, fallback: 0.8 }),
  SUTURE_BLOBS_BYTES_MAX: integer({ min: 1024 * 1024, max: 1024 ** 5, fallback: 10 * 1024 ** 3 }),
  SUTURE_BLOB_HOURS: integer({ min: 1, max: 87_600, fallback: 720 }),
  SUTURE_RETENTION_HOURS: integer({ min: 1, max: 87_600, fallback: 48 }),
  SUTURE_LEDGER_HOURS: integer({ min: 1, max: 87_600, fallback: 24 }),

  SUTURE_CRASH_POINT: optionalText({
    pattern: /^\S{1,100} \w{1,10} \d{1,9}$/,
    problem: "must be a crash point, what it does and at which passing",
    example: "W2:after_take_before_work kill 1",
  }),

  // Set by `suture eval` for what it starts.
  SUTURE_VARIANTS_OF: optionalText({
    pattern: /^[a-z][a-z0-9-]{0,62}$/,
    problem: "must be the name of a team",
    example: "support",
  }),

  OTEL_EXPORTER_OTLP_ENDPOINT: optionalHttpUrl("http://127.0.0.1:4318"),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: choice(
    ["no_content", "span_only", "true", "false"],
    "no_content",
  ),
  OTEL_SDK_DISABLED: choice(["true", "false"], "false"),
  LOG_LEVEL: choice(["fatal", "error", "warn", "info", "debug", "trace", "silent"], "info"),
} as const satisfies Record<string, Variable<unknown>>;

export type VariableName = keyof typeof VARIABLES;

/** What each variable's text became. */
export type VariableValues = {
  readonly [Name in VariableName]: z.output<(typeof VARIABLES)[Name]["schema"]>;
};
