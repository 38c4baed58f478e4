import { resolve } from "node:path";
import { parseApiKeys } from "./api-key.ts";
import { readJson, readReferencedFile } from "./define-config.ts";
import { ConfigError } from "./errors.ts";
import type { ConfigProblem } from "./errors.ts";
import { modelPrices } from "./model-room.ts";
import type { ModelPrices } from "./model-room.ts";
import { parseRedisUrl } from "./redis-url.ts";
import type { RedisTls } from "./redis-url.ts";
import { Secret } from "./secret.ts";
import { VARIABLES } from "./variables.ts";
import type { VariableName, VariableValues } from "./variables.ts";
import { parseWebhooks } from "./webhooks.ts";

/** Text of environment variables by name, as a command's options give them. */
export type ConfigOverrides = Readonly<Partial<Record<VariableName, string | undefined>>>;

/**
 * Reads the configuration, once, by `main.ts`; nothing else reads the environment. Empty values count as unset.
 * @param overrides - Laid over `env`, by the same names and rules; undefined entries do not count.
 * @throws {ConfigError} naming every variable that cannot be used, what is wrong with it, and an example.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env, overrides: ConfigOverrides = {}) {
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
  const openId = readOpenId(values, refuse);
  if (values.SUTURE_CRASH_POINT !== null && env["NODE_ENV"] === "production")
    refuse("SUTURE_CRASH_POINT", "is for tests and must not be set in production");
  if (problems.length > 0) throw new ConfigError(problems);

  return Object.freeze({
    ...namedFields(values),
    ...formedFields(values),
    ...modelFields(values),
    redisTls,
    openId,
    // Unset: keys are generated at the first start and kept in the data folder.
    apiKeys: keys?.keys ?? null,
    edgeKeysFile: values.SUTURE_KEYS === null ? null : resolve(values.SUTURE_KEYS.slice(1)),
    modelPrices: prices?.value ?? NO_PRICES,
    webhooks: webhooks?.webhooks ?? [],
    // Most likely misspelt. Logged as a warning.
    unknownVariables: Object.keys(env).filter(
      (name) => name.startsWith("SUTURE_") && !Object.hasOwn(VARIABLES, name),
    ),
  });
}

/** The configuration of a process, read once and frozen. A field means what its variable's comment says. */
export type Config = ReturnType<typeof loadConfig>;

let ofProcess: Config | undefined;

/** Returns the configuration of this process, read at the first call, so that loading a module needs none. */
export function processConfig(): Config {
  ofProcess ??= loadConfig();
  return ofProcess;
}

const NO_PRICES: ModelPrices = {};

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
  "SUTURE_REDIS_URLS",
  "SUTURE_ATTACHED_REDIS_URL",
  "SUTURE_ARCHIVE_URL",
  "SUTURE_REDIS_SENTINEL_PASSWORD",
  "OPENAI_API_KEY",
  "SUTURE_SOURCES_KEY",
  "SUTURE_READER_TOKEN",
  "SUTURE_OIDC_CLIENT_SECRET",
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
  const [first] = addressesIn(values.SUTURE_REDIS_URLS);
  if (first !== undefined && values.REDIS_URL !== null && values.REDIS_URL.reveal() !== first.reveal())
    refuse("REDIS_URL", "must be unset, or the first address of SUTURE_REDIS_URLS");
  if (first !== undefined && values.SUTURE_SHARDS > 1)
    refuse("SUTURE_SHARDS", "must be unset where SUTURE_REDIS_URLS names the shards");
  if (values.SUTURE_REDIS_DURABILITY === "replicated" && values.REDIS_URL === null && first === undefined) {
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

/** Reads the files of TLS to Redis, and refuses what would silently not be used. Null: nothing is set. */
function readRedisTls(
  values: VariableValues,
  { readPem, refuse }: { readonly readPem: (name: VariableName) => string | null; readonly refuse: Refuse },
): RedisTls | null {
  const { SUTURE_REDIS_TLS_CERT: cert, SUTURE_REDIS_TLS_KEY: key } = values;
  const names = ["SUTURE_REDIS_TLS_CA", "SUTURE_REDIS_TLS_CERT", "SUTURE_REDIS_TLS_KEY"] as const;
  const set = [...names, "SUTURE_REDIS_TLS_SERVERNAME" as const].find((name) => values[name] !== null);
  if (set === undefined) return null;
  if (!isTls(values.REDIS_URL) && !isTls(values.SUTURE_REDIS_URLS))
    refuse(set, "needs a REDIS_URL that begins with rediss");
  if (cert !== null && key === null) refuse("SUTURE_REDIS_TLS_KEY", "must be set with the certificate");
  if (key !== null && cert === null) refuse("SUTURE_REDIS_TLS_CERT", "must be set with its key");
  const [ca, certText, keyText] = names.map(readPem);
  return {
    ca: ca ?? null,
    cert: certText ?? null,
    key: keyText === null || keyText === undefined ? null : new Secret(keyText),
    servername: values.SUTURE_REDIS_TLS_SERVERNAME,
  };
}

/** Reads how people log in by OpenID Connect, and refuses half a set. Null: nothing is set. */
function readOpenId(values: VariableValues, refuse: Refuse) {
  const { SUTURE_OIDC_ISSUER: issuer, SUTURE_OIDC_CLIENT_ID: clientId } = values;
  const { SUTURE_CONSOLE_PUBLIC_URL: publicUrl, SUTURE_OIDC_ROLES: roles } = values;
  if (issuer === null) {
    if (clientId !== null) refuse("SUTURE_OIDC_ISSUER", "must be set with SUTURE_OIDC_CLIENT_ID");
    return null;
  }
  if (clientId === null) refuse("SUTURE_OIDC_CLIENT_ID", "must be set with SUTURE_OIDC_ISSUER");
  if (publicUrl === null) refuse("SUTURE_CONSOLE_PUBLIC_URL", "must be set with SUTURE_OIDC_ISSUER");
  if (roles.length === 0) refuse("SUTURE_OIDC_ROLES", "must be set with SUTURE_OIDC_ISSUER");
  return {
    issuer,
    clientId: clientId ?? "",
    clientSecret: values.SUTURE_OIDC_CLIENT_SECRET,
    scopes: values.SUTURE_OIDC_SCOPES,
    claim: values.SUTURE_OIDC_CLAIM,
    roles,
    publicUrl: publicUrl ?? "",
  };
}

function isTls(url: Secret | null): boolean {
  const parsed = url === null ? null : parseRedisUrl(url.reveal());
  return parsed !== null && "address" in parsed && parsed.address.isTls;
}

function addressesIn(list: Secret | null): Secret[] {
  const urls = list?.reveal().trim().split(/\s+/) ?? [];
  return urls.map((url) => new Secret(url));
}

/** Settings whose value is of another form or has another name than their variable. */
function formedFields(values: VariableValues) {
  return {
    openaiApiKey: values.OPENAI_API_KEY,
    openaiBaseUrl: values.OPENAI_BASE_URL,
    modelCircuit: {
      probeMs: values.SUTURE_MODEL_PROBE_MS,
      probeMsMax: values.SUTURE_MODEL_PROBE_MS_MAX,
      drainPerSecond: values.SUTURE_MODEL_DRAIN_PER_SECOND,
    },
    a2aKeysFile: values.SUTURE_A2A_KEYS,
    anonymousPerAddressMax: values.SUTURE_ANONYMOUS_CONNECTIONS_MAX,
    isReadyWithoutAgents: values.SUTURE_READY_WITHOUT_AGENTS === "true",
    sourcesDir: resolve(values.SUTURE_SOURCES),
    redisUrl: values.REDIS_URL ?? addressesIn(values.SUTURE_REDIS_URLS)[0] ?? null,
    redisUrls: addressesIn(values.SUTURE_REDIS_URLS),
    dataDir: resolve(values.SUTURE_DATA_DIR),
    teamsDir: resolve(values.SUTURE_TEAMS),
    checkoutsDir: resolve(values.SUTURE_CHECKOUTS),
    redisUsersFile: values.SUTURE_REDIS_USERS === null ? null : resolve(values.SUTURE_REDIS_USERS.slice(1)),
    pushHosts: values.SUTURE_PUSH_HOSTS?.toLowerCase().split(",") ?? [],
    sandboxUrl: values.SUTURE_SANDBOX_URL ?? `http://127.0.0.1:${values.SUTURE_REHEARSAL_PORT}`,
    agentVariables: values.SUTURE_AGENT_VARIABLES.split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
    ledgerHours: Math.min(values.SUTURE_LEDGER_HOURS, values.SUTURE_RETENTION_HOURS),
    logLevel: values.LOG_LEVEL,
    capturesContent: ["span_only", "true"].includes(
      values.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT,
    ),
    otlpEndpoint: values.OTEL_SDK_DISABLED === "true" ? null : values.OTEL_EXPORTER_OTLP_ENDPOINT,
  };
}

type Camel<Text extends string> = Text extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text;

/** `queueLimit` for `SUTURE_QUEUE_LIMIT`. */
type FieldOf<Name extends string> = Name extends `SUTURE_${infer Rest}` ? Camel<Lowercase<Rest>> : never;

/** Returns every setting under its variable's name in camelCase; those of another form are laid over it. */
function namedFields(values: VariableValues) {
  const named = Object.entries(values).map(([name, value]) => [fieldOf(name), value] as const);
  // The same rule as the type's.
  return Object.fromEntries(named) as {
    readonly [Name in VariableName as FieldOf<Name>]: VariableValues[Name];
  };
}

function fieldOf(name: string): string {
  return name
    .replace(/^SUTURE_/, "")
    .toLowerCase()
    .replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns which models are asked, how much room their answers have, and which come as streams. */
function modelFields(values: VariableValues) {
  const isRehearsal = values.OPENAI_API_KEY === null && values.OPENAI_BASE_URL === null;
  const reasoningOf = (tier: "ROUTER" | "WORKER" | "SURGEON") => ({
    effort: values[`SUTURE_MODEL_${tier}_EFFORT`],
    tokens: values[`SUTURE_MODEL_${tier}_REASONING_TOKENS`],
  });
  return {
    /** Neither an API key nor a base URL of a model is set: the bundled model server answers. */
    isRehearsal,
    modelRouter: values.SUTURE_MODEL_ROUTER ?? (isRehearsal ? "rehearsal-router" : "gpt-5-nano"),
    modelWorker: values.SUTURE_MODEL_WORKER ?? (isRehearsal ? "rehearsal-worker" : "gpt-5-mini"),
    modelSurgeon: values.SUTURE_MODEL_SURGEON ?? (isRehearsal ? "rehearsal-surgeon" : "gpt-5"),
    userModels: values.SUTURE_USER_MODELS?.split(",") ?? [],
    modelRoom: {
      reasoning: {
        router: reasoningOf("ROUTER"),
        worker: reasoningOf("WORKER"),
        surgeon: reasoningOf("SURGEON"),
      },
      tokensMax: values.SUTURE_MODEL_ANSWER_TOKENS_MAX,
    },
    modelStreams: {
      by: {
        router: values.SUTURE_MODEL_ROUTER_STREAM,
        worker: values.SUTURE_MODEL_WORKER_STREAM,
        surgeon: values.SUTURE_MODEL_SURGEON_STREAM,
      },
      silentMs: values.SUTURE_MODEL_STREAM_SILENT_MS,
      wholeMs: values.SUTURE_MODEL_STREAM_TIMEOUT_MS,
    },
  };
}
