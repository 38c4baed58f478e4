import { resolve } from "node:path";
import { parseApiKeys } from "./api-key.ts";
import { readOutside } from "./outside.ts";
import type { Config } from "./config.ts";
import { ConfigError } from "./errors.ts";
import type { ConfigProblem } from "./errors.ts";
import { modelFields } from "./model-fields.ts";
import { modelPrices } from "./model-prices.ts";
import { readJson } from "./read-json.ts";
import { readReferencedFile } from "./read-referenced-file.ts";
import { readRedisTls } from "./read-redis-tls.ts";
import { VARIABLES } from "./variables.ts";
import { Secret } from "./secret.ts";
import type { VariableName, VariableValues } from "./variables.ts";
import { parseWebhooks } from "./webhooks.ts";

/** Text of environment variables by name, as a command's options give them. */
export type ConfigOverrides = Readonly<Partial<Record<VariableName, string | undefined>>>;

/**
 * Reads the configuration. The only place that reads the environment; called once, by a process's `main.ts`.
 *
 * An empty value counts as unset, as compose files write it. Relative paths start at the working folder.
 *
 * @param overrides - Laid over `env`, by the same names and rules; undefined entries do not count.
 * @throws {ConfigError} naming every variable that cannot be used, what is wrong with it, and an example.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env, overrides: ConfigOverrides = {}): Config {
  const problems: ConfigProblem[] = [];
  const refuse = (variable: VariableName, problem: string): void => {
    problems.push({ variable, problem, example: VARIABLES[variable].example });
  };
  const values = readVariables((name) => readSecretFile(name, overrides[name] ?? env[name], refuse), refuse);
  const read = (name: VariableName): string | null => {
    const value = values[name];
    const text = value instanceof Secret ? value.reveal() : value;
    return typeof text === "string" ? readFileOr(text, name, refuse) : null;
  };
  const readPem = (name: VariableName): string | null => {
    const text = read(name);
    if (text === null || text.includes("-----BEGIN ")) return text;
    refuse(name, "names a file that is not PEM");
    return null;
  };
  const parsed = <Read extends object>(
    name: VariableName,
    parse: (text: string) => Read | { readonly problem: string },
  ): Read | null => {
    const text = read(name);
    const result = text === null ? null : parse(text);
    if (result === null || !("problem" in result)) return result;
    refuse(name, result.problem);
    return null;
  };
  const keys = parsed("SUTURE_API_KEYS", parseApiKeys);
  const prices = parsed("SUTURE_MODEL_PRICES", (text) => readJson(modelPrices, text));
  const webhooks = parsed("SUTURE_WEBHOOKS", parseWebhooks);
  read("SUTURE_KEYS");
  const redisTls = readRedisTls(values, { readPem, refuse });
  refuseContradictions(values, refuse);
  if (values.SUTURE_CRASH_POINT !== null && env["NODE_ENV"] === "production")
    refuse("SUTURE_CRASH_POINT", "is for tests and must not be set in production");
  if (problems.length > 0) throw new ConfigError(problems);

  return Object.freeze({
    ...plainFields(values),
    ...sourceFields(values),
    ...surgeonFields(values),
    ...modelFields(values),
    ...endpointFields(values),
    ...clientFields(values),
    redisTls,
    apiKeys: keys?.keys ?? null,
    edgeKeysFile: values.SUTURE_KEYS === null ? null : resolve(values.SUTURE_KEYS.slice(1)),
    modelPrices: prices?.value ?? {},
    webhooks: webhooks?.webhooks ?? [],
    outside: readOutside(values),
    unknownVariables: Object.keys(env).filter(
      (name) => name.startsWith("SUTURE_") && !Object.hasOwn(VARIABLES, name),
    ),
  });
}

type Refuse = (variable: VariableName, problem: string) => void;

function readVariables(textOf: (name: VariableName) => string | undefined, refuse: Refuse): VariableValues {
  const values: Record<string, unknown> = {};
  // VARIABLES is a constant with exactly these keys.
  for (const name of Object.keys(VARIABLES) as VariableName[]) {
    const { schema } = VARIABLES[name];
    const trimmed = textOf(name)?.trim();
    const parsed = schema.safeParse(trimmed === "" ? undefined : trimmed);
    if (!parsed.success) refuse(name, parsed.error.issues[0]?.message ?? "is not valid");
    values[name] = parsed.success ? parsed.data : schema.parse(undefined);
  }
  // Each entry was made by the schema of its own name.
  return values as VariableValues;
}

/** Secrets that are replaced by the content of the file they name; other variables with `@` are read where parsed. */
const SECRETS_IN_FILES: readonly VariableName[] = [
  "REDIS_URL",
  "SUTURE_ATTACHED_REDIS_URL",
  "SUTURE_REDIS_SENTINEL_PASSWORD",
  "OPENAI_API_KEY",
  "SUTURE_SOURCES_KEY",
  "SUTURE_SOURCES_DATABASE",
];

function readSecretFile(name: VariableName, text: string | undefined, refuse: Refuse): string | undefined {
  if (!SECRETS_IN_FILES.includes(name)) return text;
  return readFileOr(text?.trim() ?? null, name, refuse) ?? undefined;
}

function readFileOr(value: string | null, name: VariableName, refuse: Refuse): string | null {
  if (value === null || !value.startsWith("@")) return value;
  const read = readReferencedFile(value.slice(1));
  if ("text" in read) return read.text;
  refuse(name, read.problem);
  return null;
}

function refuseContradictions(values: VariableValues, refuse: Refuse): void {
  if (values.SUTURE_RETRY_DELAY_MS_MAX < values.SUTURE_RETRY_DELAY_MS) {
    refuse("SUTURE_RETRY_DELAY_MS_MAX", "must not be less than SUTURE_RETRY_DELAY_MS");
  }
  if (values.SUTURE_REDIS_DURABILITY === "replicated" && values.REDIS_URL === null) {
    refuse("REDIS_URL", "must name a Redis with replicas for SUTURE_REDIS_DURABILITY=replicated");
  }
  const ports = ["SUTURE_GATEWAY_PORT", "SUTURE_CONSOLE_PORT", "SUTURE_REHEARSAL_PORT"] as const;
  for (const [index, name] of ports.entries()) {
    const other = ports
      .slice(0, index)
      .find((earlier) => values[earlier] !== 0 && values[earlier] === values[name]);
    if (other !== undefined) refuse(name, `must differ from ${other}`);
  }
}

/** Where models are, real or rehearsed, and when their calls wait. */
function endpointFields(values: VariableValues) {
  return {
    openaiApiKey: values.OPENAI_API_KEY,
    openaiBaseUrl: values.OPENAI_BASE_URL,
    modelTimeoutMs: values.SUTURE_MODEL_TIMEOUT_MS,
    modelCircuit: {
      probeMs: values.SUTURE_MODEL_PROBE_MS,
      probeMsMax: values.SUTURE_MODEL_PROBE_MS_MAX,
      drainPerSecond: values.SUTURE_MODEL_DRAIN_PER_SECOND,
    },
    rehearsalHost: values.SUTURE_REHEARSAL_HOST,
    rehearsalPort: values.SUTURE_REHEARSAL_PORT,
    rehearsalFaultRate: values.SUTURE_REHEARSAL_FAULT_RATE,
    rehearsalSeed: values.SUTURE_REHEARSAL_SEED,
  };
}

/** What the gateway and the console hold clients to, and what the console shows beside the teams. */
function clientFields(values: VariableValues) {
  return {
    redisAnswerMs: values.SUTURE_REDIS_ANSWER_MS,
    gatewayPublicUrl: values.SUTURE_GATEWAY_PUBLIC_URL,
    gatewayConnectionsMax: values.SUTURE_GATEWAY_CONNECTIONS_MAX,
    revealsPerHour: values.SUTURE_REVEALS_PER_HOUR,
    anonymousPerAddressMax: values.SUTURE_ANONYMOUS_CONNECTIONS_MAX,
    people: values.SUTURE_PEOPLE,
    attachedQueues: values.SUTURE_ATTACHED_QUEUES,
    attachedRedisUrl: values.SUTURE_ATTACHED_REDIS_URL,
    attachedPrefix: values.SUTURE_ATTACHED_PREFIX,
    isReadyWithoutAgents: values.SUTURE_READY_WITHOUT_AGENTS === "true",
  };
}

function surgeonFields(values: VariableValues) {
  return {
    surgeonCostPerCase: values.SUTURE_SURGEON_COST_PER_CASE,
    surgeonCostPerHour: values.SUTURE_SURGEON_COST_PER_HOUR,
    groupMessagesPerHour: values.SUTURE_GROUP_MESSAGES_PER_HOUR,
    quarantineCasesMax: values.SUTURE_QUARANTINE_CASES_MAX,
    surgeonCostPerGroup: values.SUTURE_SURGEON_COST_PER_GROUP,
    surgeonResendMs: values.SUTURE_SURGEON_RESEND_MS,
    surgeonConcurrency: values.SUTURE_SURGEON_CONCURRENCY,
    recipeProofs: values.SUTURE_RECIPE_PROOFS,
    recipeProducers: values.SUTURE_RECIPE_PRODUCERS,
  };
}

function sourceFields(values: VariableValues) {
  return {
    sourcesDir: resolve(values.SUTURE_SOURCES),
    sourcesUrl: values.SUTURE_SOURCES_URL,
    sourcesKey: values.SUTURE_SOURCES_KEY,
    sourcesDatabase: values.SUTURE_SOURCES_DATABASE,
    sourcesTable: values.SUTURE_SOURCES_TABLE,
    sourcesLanguage: values.SUTURE_SOURCES_LANGUAGE,
  };
}

function plainFields(values: VariableValues) {
  return {
    redisUrl: values.REDIS_URL,
    dataDir: resolve(values.SUTURE_DATA_DIR),
    teamsDir: resolve(values.SUTURE_TEAMS),
    checkoutsDir: resolve(values.SUTURE_CHECKOUTS),
    checkoutModulesDir:
      values.SUTURE_CHECKOUT_MODULES === null ? null : resolve(values.SUTURE_CHECKOUT_MODULES),
    codeIsolation: values.SUTURE_CODE_ISOLATION,
    guidelinesDir: resolve(values.SUTURE_GUIDELINES),
    prefix: values.SUTURE_PREFIX,
    redisDurability: values.SUTURE_REDIS_DURABILITY,
    handover: values.SUTURE_REDIS_HANDOVER,
    trust: values.SUTURE_TRUST,
    redisUsersFile: values.SUTURE_REDIS_USERS === null ? null : resolve(values.SUTURE_REDIS_USERS.slice(1)),
    relayCostMax: values.SUTURE_RELAY_COST_MAX,
    relayTokensMax: values.SUTURE_RELAY_TOKENS_MAX,
    redisReplicasMin: values.SUTURE_REDIS_REPLICAS_MIN,
    redisWaitMs: values.SUTURE_REDIS_WAIT_MS,
    redisSentinelPassword: values.SUTURE_REDIS_SENTINEL_PASSWORD,
    gatewayHost: values.SUTURE_GATEWAY_HOST,
    gatewayPort: values.SUTURE_GATEWAY_PORT,
    consoleHost: values.SUTURE_CONSOLE_HOST,
    consolePort: values.SUTURE_CONSOLE_PORT,
    keysCheckMs: values.SUTURE_KEYS_CHECK_MS,
    healthHost: values.SUTURE_HEALTH_HOST,
    healthPort: values.SUTURE_HEALTH_PORT,
    bodyBytesMax: values.SUTURE_BODY_BYTES_MAX,
    agentProtocolTeam: values.SUTURE_AGENT_PROTOCOL_TEAM,
    pushHosts: values.SUTURE_PUSH_HOSTS?.toLowerCase().split(",") ?? [],
    taskLifeHours: values.SUTURE_TASK_LIFE_HOURS,
    queueLimit: values.SUTURE_QUEUE_LIMIT,
    tenantShare: values.SUTURE_TENANT_SHARE,
    wardLimit: values.SUTURE_WARD_LIMIT,
    sandboxUrl: values.SUTURE_SANDBOX_URL ?? `http://127.0.0.1:${values.SUTURE_REHEARSAL_PORT}`,
    agentVariables: values.SUTURE_AGENT_VARIABLES.split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
    concurrency: values.SUTURE_CONCURRENCY,
    deliveriesMax: values.SUTURE_DELIVERIES_MAX,
    retryDelayMs: values.SUTURE_RETRY_DELAY_MS,
    retryDelayMsMax: values.SUTURE_RETRY_DELAY_MS_MAX,
    lockMs: values.SUTURE_LOCK_MS,
    stalledIntervalMs: values.SUTURE_STALLED_INTERVAL_MS,
    silentMs: values.SUTURE_SILENT_MS,
    silentRestartsMax: values.SUTURE_SILENT_RESTARTS_MAX,
    clockCheckMs: values.SUTURE_CLOCK_CHECK_MS,
    crashesMax: values.SUTURE_CRASHES_MAX,
    stopGraceMs: values.SUTURE_STOP_GRACE_MS,
    finishedJobsMax: values.SUTURE_FINISHED_JOBS_MAX,
    peopleAuditLength: values.SUTURE_PEOPLE_AUDIT_LENGTH,
    redisMemoryShare: values.SUTURE_REDIS_MEMORY_SHARE,
    blobsBytesMax: values.SUTURE_BLOBS_BYTES_MAX,
    blobHours: values.SUTURE_BLOB_HOURS,
    retentionHours: values.SUTURE_RETENTION_HOURS,
    ledgerHours: Math.min(values.SUTURE_LEDGER_HOURS, values.SUTURE_RETENTION_HOURS),
    crashPoint: values.SUTURE_CRASH_POINT,
    variantsOf: values.SUTURE_VARIANTS_OF,
    logLevel: values.LOG_LEVEL,
    capturesContent: ["span_only", "true"].includes(
      values.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT,
    ),
    otlpEndpoint: values.OTEL_SDK_DISABLED === "true" ? null : values.OTEL_EXPORTER_OTLP_ENDPOINT,
  };
}
