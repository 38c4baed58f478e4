import { availableParallelism } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isVariable, VARIABLES } from "#shared/config";
import type { Config, VariableName } from "#shared/config";
import { edgesOf } from "#shared/runtime";
import type { RedisUser } from "#shared/store";
import type { Team } from "#shared/runtime";
import { urlWithLogin } from "../keys/redis-users.ts";
import type { RedisPasswords } from "../keys/redis-users.ts";
import { issueKeyFile } from "./key-files.ts";
import type { ServiceSpec } from "./spawn-service.ts";

/** A service of a deployment, as the launcher, the compose writer and the doctor need it. */
interface Service {
  /** The secrets it is given, beside Redis' own. Every service but `rehearsal` also has the address of Redis. */
  readonly secrets: readonly VariableName[];
  readonly usesRedis: boolean;
  /** Edge keys it gets. `own`: of its own name; `agents`: of the agents it runs. */
  readonly keys: "own" | "agents" | null;
}

/** Every service, by its folder below `services`. */
export const SERVICES = {
  gateway: { secrets: ["SUTURE_API_KEYS", "SUTURE_ARCHIVE_URL"], usesRedis: true, keys: "own" },
  surgeon: {
    secrets: ["OPENAI_API_KEY", "SUTURE_WEBHOOKS", "SUTURE_ARCHIVE_URL"],
    usesRedis: true,
    keys: "own",
  },
  console: {
    secrets: [
      "SUTURE_API_KEYS",
      "SUTURE_ARCHIVE_URL",
      "OPENAI_API_KEY",
      "SUTURE_ATTACHED_REDIS_URL",
      "SUTURE_OIDC_CLIENT_SECRET",
    ],
    usesRedis: true,
    keys: null,
  },
  agents: {
    secrets: [
      "OPENAI_API_KEY",
      "SUTURE_SOURCES_KEY",
      "SUTURE_READER_TOKEN",
      "SUTURE_SHOP_TOKEN",
      "SUTURE_DESK_TOKEN",
      "SUTURE_CRM_TOKEN",
      "SUTURE_SMTP_URL",
    ],
    usesRedis: true,
    keys: "agents",
  },
  rehearsal: { secrets: [], usesRedis: false, keys: null },
} as const satisfies Readonly<Record<string, Service>>;

export type ServiceName = keyof typeof SERVICES;

/** Returns true when a service has a use for a secret. */
export function needsSecret(service: ServiceName, secret: VariableName): boolean {
  const { secrets }: Service = SERVICES[service];
  return secrets.includes(secret);
}

const EXTENSION = extname(import.meta.filename);
const SERVICES_DIR = fileURLToPath(new URL("../../", import.meta.url));

/** More processes on one machine than this only wait for each other. */
const PROCESSES_DEFAULT_MAX = 4;

/** Variables that any program needs from its system. Proxy variables count in upper and lower case. */
const SYSTEM: readonly string[] = [
  ..."PATH HOME USER LOGNAME HOSTNAME LANG LANGUAGE TZ TMPDIR TMP TEMP LD_LIBRARY_PATH".split(" "),
  ..."SSL_CERT_FILE SSL_CERT_DIR HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY".split(" "),
  ..."SYSTEMROOT WINDIR COMSPEC PATHEXT USERPROFILE APPDATA LOCALAPPDATA".split(" "),
];
/** Families of variables, by how they begin: locale, Node itself, OpenTelemetry, the user's folders. */
const FAMILIES = ["LC_", "NODE_", "OTEL_", "XDG_"];

/** Settings that all services of one launcher have in common. */
export interface Deployment {
  readonly config: Config;
  readonly teams: readonly Team[];
  /** Passwords of Redis' users; null where all use the address as it is. */
  readonly redisPasswords?: RedisPasswords | null;
  /** Their file, for the process that runs all services, each as its own user. */
  readonly redisUsersFile?: string | null;
  /** Address of Redis, ports, folders: laid over the launcher's own environment, for all services. */
  readonly shared: Readonly<Record<string, string>>;
  /** `@file` with generated API keys; null where keys are configured. */
  readonly apiKeys: string | null;
}

interface Process extends Pick<ServiceSpec, "name" | "script" | "args" | "agents"> {
  readonly services: readonly ServiceName[];
  /** Its role in Redis. */
  readonly redisUser: RedisUser;
}

/** Returns the process of a service that runs once. */
export function serviceSpec(deployment: Deployment, service: Exclude<ServiceName, "agents">): ServiceSpec {
  // The rehearsal has no Redis.
  const redisUser = service === "rehearsal" ? "readonly" : service;
  const named = { services: [service], name: service, agents: [service] };
  return specOf(deployment, { ...named, redisUser, script: scriptOf(service), args: [] });
}

/** Returns one process for some agents. */
export function agentsSpec(deployment: Deployment, name: string, agents: readonly string[]): ServiceSpec {
  const team = deployment.teams.find((one) => agents.every((agent) => one.agents.has(agent)));
  const args = [...(team === undefined ? [] : [`--team=${team.name}`]), ...agents];
  const script = scriptOf("agents");
  return specOf(deployment, { services: ["agents"], script, name, args, agents, redisUser: "agent" });
}

/** Returns true where one process runs all services: no Redis users, traces or health port keep them apart. */
export function runsTogether({ config }: Deployment): boolean {
  const { redisUrl, redisUsersFile, healthPort, otlpEndpoint } = config;
  return (redisUrl === null || redisUsersFile === null) && healthPort === null && otlpEndpoint === null;
}

/** Returns one process for all services of a machine. */
export function togetherSpec(deployment: Deployment, withRehearsal: boolean): ServiceSpec {
  const agents = agentNames(deployment);
  const services = ["gateway", "surgeon", "agents", "console"] as const;
  return specOf(deployment, {
    services,
    name: "services",
    script: join(import.meta.dirname, `run-together${EXTENSION}`),
    args: [[...services, ...(withRehearsal ? ["rehearsal"] : [])].join(","), ...agents],
    agents: [...agents, "gateway", "surgeon"],
    // Each of its services takes a login of its own; see `run-together.ts`.
    redisUser: "console",
  });
}

export function agentNames({ teams }: Deployment): string[] {
  return [...new Set(teams.flatMap((team) => [...team.agents.keys()]))];
}

/** Spreads all agents over processes in turn. @param processes - Default: one a core, 4 at most. */
export function agentSpecs(deployment: Deployment, processes?: number): ServiceSpec[] {
  const names = agentNames(deployment);
  const wanted = processes ?? Math.min(availableParallelism(), PROCESSES_DEFAULT_MAX);
  const count = Math.max(1, Math.min(wanted, names.length));
  return Array.from({ length: count }, (_, turn) => {
    const own = names.filter((_name, index) => index % count === turn);
    return agentsSpec(deployment, `agents-${turn + 1}`, own);
  });
}

/**
 * Returns the process with a port of its own for health and metrics, counted from the configured one, because one
 * machine has many. Without a configured port it has none; 0 takes any free one for each.
 */
export function withHealthPort(deployment: Deployment, spec: ServiceSpec, index: number): ServiceSpec {
  const { healthPort } = deployment.config;
  if (healthPort === null) return spec;
  const port = healthPort === 0 ? 0 : healthPort + index;
  return { ...spec, env: { ...spec.env, SUTURE_HEALTH_PORT: String(port) } };
}

function scriptOf(service: ServiceName): string {
  return join(SERVICES_DIR, service, `main${EXTENSION}`);
}

function specOf(deployment: Deployment, process: Process): ServiceSpec {
  const { name, script, args, agents } = process;
  const logFile = join(deployment.config.dataDir, "logs", `${name}.log`);
  return { name, script, args, agents, env: environmentOf(deployment, process), logFile };
}

function environmentOf(deployment: Deployment, { services, name, agents, redisUser }: Process) {
  const { config, shared, apiKeys, redisPasswords = null, redisUsersFile = null, teams } = deployment;
  const { dataDir, edgeKeysFile } = config;
  const rows = services.map((service): Service => SERVICES[service]);
  const secrets = rows.flatMap((row) => row.secrets);
  const usesRedis = rows.some((row) => row.usesRedis);
  const redisSecrets = usesRedis
    ? (["REDIS_URL", "SUTURE_REDIS_URLS", "SUTURE_REDIS_SENTINEL_PASSWORD"] as const)
    : [];
  const foreign = services.includes("agents") ? config.agentVariables : [];
  const named = { secrets: [...redisSecrets, ...secrets], foreign };
  const env = narrowEnvironment({ ...process.env, ...shared }, named);
  // A process that is started again, as after a crash, need not compile what it compiled before.
  env["NODE_COMPILE_CACHE"] ??= join(dataDir, "compiled");
  if (services.length === 1 || redisUsersFile === null) delete env["SUTURE_REDIS_USERS"];
  else env["SUTURE_REDIS_USERS"] = `@${redisUsersFile}`;
  // Only one process can listen there; `withHealthPort` sets it.
  delete env["SUTURE_HEALTH_PORT"];
  for (const variable of ["REDIS_URL", "SUTURE_REDIS_URLS"]) {
    const urls = env[variable]?.trim().split(/\s+/);
    if (!usesRedis) delete env[variable];
    else if (redisPasswords !== null && urls !== undefined)
      env[variable] = urls.map((url) => urlWithLogin(url, redisUser, redisPasswords)).join(" ");
  }
  if (secrets.includes("SUTURE_API_KEYS") && apiKeys !== null) env["SUTURE_API_KEYS"] = apiKeys;
  if (rows.every((row) => row.keys === null)) delete env["SUTURE_KEYS"];
  else
    env["SUTURE_KEYS"] = `@${edgeKeysFile ?? issueKeyFile({ dataDir, edges: edgesOf(teams), agents, name })}`;
  return env;
}

/**
 * Returns what a service may see of an environment: the system's and Node's variables, Suture's without secrets, and
 * the named ones, so that a new secret is withheld by default. @param named.secrets - Suture's, which it needs.
 * @param named.foreign - Others', as `SUTURE_AGENT_VARIABLES` names them: `STRIPE_KEY`, `CRM_*`.
 */
function narrowEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  named: { readonly secrets: readonly VariableName[]; readonly foreign: readonly string[] },
): Record<string, string> {
  const isSeen = (name: string): boolean => {
    if (isVariable(name)) return VARIABLES[name].isSecret !== true || named.secrets.includes(name);
    const isNamed = (wanted: string): boolean =>
      wanted.endsWith("*") ? name.startsWith(wanted.slice(0, -1)) : name === wanted;
    const upper = name.toUpperCase();
    const isOfSystem = SYSTEM.includes(upper) || FAMILIES.some((start) => upper.startsWith(start));
    return isOfSystem || named.foreign.some(isNamed);
  };
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && isSeen(entry[0]),
    ),
  );
}
