import { z } from "zod";
import { attachedQueues } from "./attached-queues.ts";
import { MODEL_VARIABLES } from "./model-variables.ts";
import { OPENID_VARIABLES } from "./openid-variables.ts";
import { OUTSIDE_VARIABLES, teamName } from "./outside-variables.ts";
import { redisUrl, STORE_VARIABLES } from "./store-variables.ts";
import {
  choice,
  DAY_MS,
  decimal,
  host,
  integer,
  optionalHttpUrl,
  optionalPort,
  optionalText,
  port,
  RETRY_DEFAULTS,
  secret,
  text,
} from "./variable.ts";
import type { Variable } from "./variable.ts";

/** People by the names of their API keys, given as `key=person` pairs. */
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

/** Every variable that Suture reads. The standard `OTEL_*` ones that are not here are read by OpenTelemetry itself. */
export const VARIABLES = {
  ...STORE_VARIABLES,

  /** Address that the gateway listens on. */
  SUTURE_GATEWAY_HOST: host,
  /** Port of the gateway. 0 takes any free port. */
  SUTURE_GATEWAY_PORT: port(8080),
  /** Address that the console listens on. */
  SUTURE_CONSOLE_HOST: host,
  /** Port of the console. 0 takes any free port. */
  SUTURE_CONSOLE_PORT: port(8081),
  ...OPENID_VARIABLES,
  /** Address of one trace where you see them, with `{trace_id}` in it: the console links runs to it. Unset: no link. */
  SUTURE_TRACE_URL: optionalText(
    /^https?:\/\/(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?[/?#]\S{0,1000}\{trace_id\}\S{0,1000}$/i,
    "must be an http:// or https:// address without user name, with {trace_id} after its host",
    "https://tempo.example.org/trace/{trace_id}",
  ),
  /**
   * BullMQ queues that run anyway and that the console shows beside the teams, with commas between them: `queue`,
   * `queue=schema.json` with a JSON Schema for the data of its jobs, or `queue=schema.json@/pointer` for a part of it.
   */
  SUTURE_ATTACHED_QUEUES: attachedQueues,
  /** Address of the Redis of the attached queues; `@` and a path reads it from a file. Needed if there are some. */
  SUTURE_ATTACHED_REDIS_URL: redisUrl,
  /** BullMQ's prefix of the attached queues' keys. */
  SUTURE_ATTACHED_PREFIX: text(
    /^[^\s:]{1,100}$/,
    "must be at most 100 characters without spaces and colons",
    "bull",
  ),
  /** Address of the health port. */
  SUTURE_HEALTH_HOST: host,
  /** Port on which agents, surgeon and console serve `/healthz`, `/readyz` and `/metrics`. Unset: none. */
  SUTURE_HEALTH_PORT: optionalPort(9090),
  /** API keys: `name:scope:secret` or `tenant/name:scope:secret`, with commas. Unset: generated in the data folder. */
  SUTURE_API_KEYS: secret(
    /^[^\0]{1,1000000}$/,
    "must be name:scope:secret or tenant/name:scope:secret, several with commas between them, or @ and the path of a file with them",
    "ada:admin:a-long-random-secret",
  ),
  /** File with the edge keys of this process. Unset: the file that was issued into the data folder. */
  SUTURE_KEYS: optionalText(
    /^@.{1,1000}$/,
    "must be @ and the path of a file that `suture keys` wrote",
    "@keys/triage.json",
  ),
  /** Interval at which the key file is checked for changes, in ms. New keys are used without a restart. */
  SUTURE_KEYS_CHECK_MS: integer({ min: 50, max: 60_000, fallback: 2000 }),
  /** Persons behind API keys: two keys of one person do not count as two. A key not listed is a person of its own. */
  SUTURE_PEOPLE: people,
  /** `true`: the gateway's `/readyz` answers 200 though no agent of any team is running. */
  SUTURE_READY_WITHOUT_AGENTS: choice(["true", "false"], "false"),
  /** Team of an Agent Protocol task that names none, where several teams are loaded. */
  SUTURE_AGENT_PROTOCOL_TEAM: teamName,
  /**
   * Hosts that webhooks of tasks may be sent to though they are in a private network or without TLS: `host` or
   * `host:port`, with commas between them. Unset: public addresses with https only.
   */
  SUTURE_PUSH_HOSTS: optionalText(
    /^[A-Za-z0-9.:_-]{1,260}(?:,[A-Za-z0-9.:_-]{1,260}){0,99}$/,
    "must be hosts, with their ports, with commas between them",
    "push.internal:8443",
  ),
  /** Port of A2A's gRPC binding in the gateway, without TLS. Unset: off. */
  SUTURE_A2A_GRPC_PORT: optionalPort(50051),
  /** Key file of sealed A2A messages between teams and `remoteAgent`s of other clusters. Unset: they are refused. */
  SUTURE_A2A_KEYS: optionalText(/^[^\0]{1,1000}$/, "must be the path of a key file", "keys/a2a.json"),
  /**
   * Address by which clients reach the gateway, as A2A cards name it. Unset: the loopback address that a request names,
   * else the IP address and port that the request came to, without TLS.
   */
  SUTURE_GATEWAY_PUBLIC_URL: optionalHttpUrl("https://suture.example.org"),
  /** Maximum open connections of the gateway. Connections without an accepted key take at most half. */
  SUTURE_GATEWAY_CONNECTIONS_MAX: integer({ min: 10, max: 1_000_000, fallback: 2000 }),
  /** Rate limit: how often one person may reveal masked values in the console, per hour. */
  SUTURE_REVEALS_PER_HOUR: integer({ min: 1, max: 10_000, fallback: 60 }),
  /** Maximum open connections of one client address on which no key or session was accepted. */
  SUTURE_ANONYMOUS_CONNECTIONS_MAX: integer({ min: 1, max: 1_000_000, fallback: 100 }),
  /** Maximum size of a request's body, in bytes. */
  SUTURE_BODY_BYTES_MAX: integer({ min: 1024, max: 64 * 1024 * 1024, fallback: 1024 * 1024 }),
  /** Default time to live (TTL) of a task, in hours. Its team (`ttlMs`) or the task (`ttl_ms`) may say otherwise. */
  SUTURE_TASK_LIFE_HOURS: integer({ min: 1, max: 168, fallback: 24 }),
  /** Number of waiting messages at which the gateway answers 429 (backpressure). */
  SUTURE_QUEUE_LIMIT: integer({ min: 1, max: 100_000_000, fallback: 100_000 }),
  /**
   * Maximum share of one tenant, 0 to 1, where there are several: of the open runs, of the surgeon's hourly budget, and
   * of what other tenants leave of connections, waiting requests, webhook calls and stored bytes.
   */
  SUTURE_TENANT_SHARE: decimal({ min: 0.01, max: 1, fallback: 0.5 }),
  /** Number of open cases at which the gateway answers 429. */
  SUTURE_WARD_LIMIT: integer({ min: 1, max: 100_000_000, fallback: 100_000 }),

  ...MODEL_VARIABLES,
  ...OUTSIDE_VARIABLES,
  /** Maximum model cost of one case, in USD. */
  SUTURE_SURGEON_COST_PER_CASE: decimal({ min: 0, max: 1000, fallback: 0.1 }),
  /** Maximum model cost of the surgeon per hour, in USD. Cases wait when it is spent. */
  SUTURE_SURGEON_COST_PER_HOUR: decimal({ min: 0, max: 100_000, fallback: 5 }),
  /** Maximum model cost of all cases with one fingerprint, in USD. */
  SUTURE_SURGEON_COST_PER_GROUP: decimal({ min: 0, max: 100_000, fallback: 1 }),
  /** Delay before a message whose agent alone failed is sent again unchanged (redrive), in ms; then ten times that. */
  SUTURE_SURGEON_RESEND_MS: integer({ min: 10, max: 3_600_000, fallback: 30_000 }),
  /** Cases that one surgeon process handles at once. */
  SUTURE_SURGEON_CONCURRENCY: integer({ min: 1, max: 1000, fallback: 16 }),
  /** Messages that a recipe must heal with proof before it is trusted. */
  SUTURE_RECIPE_PROOFS: integer({ min: 1, max: 100, fallback: 3 }),
  /** Producers whose repairs must give the same recipe before it is trusted. */
  SUTURE_RECIPE_PRODUCERS: integer({ min: 1, max: 20, fallback: 2 }),

  /** Receivers of webhooks about the ward and about producers, as a JSON list. Unset: none. */
  SUTURE_WEBHOOKS: secret(
    /^(?:@.{1,1000}|\[[^]*\])$/,
    "must be a JSON list, or @ and the path of a file that holds one",
    '[{"url":"https://example.org/hook","secret":"whsec_…"}]',
  ),
  /** Dead messages of one group in one hour from which the group counts as growing, which sends a webhook. */
  SUTURE_GROUP_MESSAGES_PER_HOUR: integer({ min: 1, max: 100_000_000, fallback: 50 }),
  /** Cases waiting for a person from which the quarantine counts as full, which sends a webhook. */
  SUTURE_QUARANTINE_CASES_MAX: integer({ min: 1, max: 100_000_000, fallback: 100 }),

  /** Variables that agents get beside Suture's own, with commas between them; `*` at the end stands for any rest. */
  SUTURE_AGENT_VARIABLES: text(
    /^(?:(?:[A-Za-z_][A-Za-z0-9_]*\*?|\*)(?:\s*,\s*(?=\S)|$)){0,200}$/,
    "must be names of variables with commas between them, each with * at its end for all that begin so",
    "",
  ),
  /** Messages that one agent process handles at once. */
  SUTURE_CONCURRENCY: integer({ min: 1, max: 10_000, fallback: 8 }),
  /** Maximum deliveries of a failing message, the first included, before it goes to the ward (the DLQ). */
  SUTURE_DELIVERIES_MAX: integer({ min: 1, max: 1000, fallback: RETRY_DEFAULTS.deliveriesMax }),
  /** Upper bound of the first retry delay, in ms. It doubles with each delivery (exponential backoff, full jitter). */
  SUTURE_RETRY_DELAY_MS: integer({ min: 1, max: DAY_MS, fallback: RETRY_DEFAULTS.delayMs }),
  /** Upper bound of any retry delay, in ms. At least `SUTURE_RETRY_DELAY_MS`. */
  SUTURE_RETRY_DELAY_MS_MAX: integer({ min: 1, max: 7 * DAY_MS, fallback: RETRY_DEFAULTS.delayMsMax }),
  /** Time until another worker takes a job whose lock is not renewed, in ms (lease, visibility timeout). */
  SUTURE_LOCK_MS: integer({ min: 100, max: 600_000, fallback: 5000 }),
  /** Interval of the check for jobs whose lock ran out, in ms. */
  SUTURE_STALLED_INTERVAL_MS: integer({ min: 50, max: 600_000, fallback: 2000 }),
  /** Time without a fetch, while work waits, after which a consumer is restarted, in ms. */
  SUTURE_SILENT_MS: integer({ min: 1000, max: 600_000, fallback: 20_000 }),
  /** Consecutive restarts without a fetch, after which the process ends with an error. */
  SUTURE_SILENT_RESTARTS_MAX: integer({ min: 1, max: 100, fallback: 5 }),
  /** Interval at which the machine's clock is compared with that of Redis, in ms. */
  SUTURE_CLOCK_CHECK_MS: integer({ min: 100, max: 600_000, fallback: 10_000 }),
  /** Process deaths on one message before it is quarantined as a poison message. */
  SUTURE_CRASHES_MAX: integer({ min: 1, max: 100, fallback: 3 }),
  /** Time that running work gets to end at shutdown, in ms. 0: it is aborted at once. */
  SUTURE_STOP_GRACE_MS: integer({ min: 0, max: 3_600_000, fallback: 10_000 }),
  /** Finished jobs that each queue keeps, at most as long as the retention. */
  SUTURE_FINISHED_JOBS_MAX: integer({ min: 100, max: 10_000_000, fallback: 20_000 }),
  /** Maximum records of what people did; the oldest are dropped first. */
  SUTURE_PEOPLE_AUDIT_LENGTH: integer({ min: 1000, max: 100_000_000, fallback: 1_000_000 }),
  /** Share of Redis' memory (its `maxmemory`, else its machine's), 0 to 1, at which the gateway answers 503. */
  SUTURE_REDIS_MEMORY_SHARE: decimal({ min: 0.01, max: 1, fallback: 0.8 }),
  /** Maximum bytes of all stored blobs; further ones are refused. */
  SUTURE_BLOBS_BYTES_MAX: integer({ min: 1024 * 1024, max: 1024 ** 5, fallback: 10 * 1024 ** 3 }),
  /** Time a blob is kept after it was last stored, in hours. */
  SUTURE_BLOB_HOURS: integer({ min: 1, max: 87_600, fallback: 720 }),
  /** Time that ended runs and closed cases are kept, in hours. */
  SUTURE_RETENTION_HOURS: integer({ min: 1, max: 87_600, fallback: 48 }),
  /** Hours that outcomes are kept against late duplicates (deduplication window); at most the retention. */
  SUTURE_LEDGER_HOURS: integer({ min: 1, max: 87_600, fallback: 24 }),

  /** For tests only, refused in production (NODE_ENV): where this process is killed, see `shared/crash-points`. */
  SUTURE_CRASH_POINT: optionalText(
    /^\S{1,100} \w{1,10} \d{1,9}$/,
    "must be a crash point, what it does and at which passing",
    "W2:after_take_before_work kill 1",
  ),

  // Set by `suture eval` for what it starts.
  /** Team whose `eval/variants.ts` is loaded beside the teams. Set by `suture eval`. */
  SUTURE_VARIANTS_OF: optionalText(/^[a-z][a-z0-9-]{0,62}$/, "must be the name of a team", "support"),

  /** OTLP endpoint for traces. Unset, or with `OTEL_SDK_DISABLED=true`: tracing is off and costs nothing. */
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalHttpUrl("http://127.0.0.1:4318"),
  /**
   * True if spans of model calls hold instructions, input and answer, redacted: with `SPAN_ONLY`, or `true`. The forms
   * with events are refused, because no events are written. Default: no content.
   */
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: choice(
    ["no_content", "span_only", "true", "false"],
    "no_content",
  ),
  /** OTLP endpoint for traces. Unset, or with `OTEL_SDK_DISABLED=true`: tracing is off and costs nothing. */
  OTEL_SDK_DISABLED: choice(["true", "false"], "false"),
  /** Lowest level of log lines that are written. */
  LOG_LEVEL: choice(["fatal", "error", "warn", "info", "debug", "trace", "silent"], "info"),
} as const satisfies Record<string, Variable<unknown>>;

export type VariableName = keyof typeof VARIABLES;

/** Values that the variables' texts were read as, by name. */
export type VariableValues = {
  readonly [Name in VariableName]: z.output<(typeof VARIABLES)[Name]["schema"]>;
};
