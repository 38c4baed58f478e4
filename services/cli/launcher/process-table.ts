import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Config } from "#shared/config";
import { edgesOf } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { SERVICES } from "../service-table.ts";
import type { Service, ServiceName } from "../service-table.ts";
import { narrowEnvironment } from "./environment.ts";
import { issueKeyFile } from "./key-files.ts";
import { urlWithLogin } from "./redis-logins.ts";
import type { RedisLogins } from "./redis-logins.ts";
import type { ServiceSpec } from "./service-spec.ts";

const SERVICES_DIR = fileURLToPath(new URL("../../", import.meta.url));

/** More processes on one machine than this only wait for each other. */
const PROCESSES_DEFAULT_MAX = 4;

/** What all services of one launcher have in common. */
export interface Deployment {
  readonly config: Config;
  readonly teams: readonly Team[];
  /** One user of Redis for each service; null where all use the address as it is. */
  readonly redisLogins?: RedisLogins | null;
  /** Address of Redis, ports, folders: laid over the launcher's own environment, for all services. */
  readonly shared: Readonly<Record<string, string>>;
  /** `@file` with generated API keys; null where keys are configured. */
  readonly apiKeys: string | null;
}

/** Returns the process of a service that runs once. */
export function serviceSpec(deployment: Deployment, service: Exclude<ServiceName, "agents">): ServiceSpec {
  return specOf(deployment, { service, name: service, agents: [], redisUser: service });
}

/** Returns the console's process; null where this copy has no console. */
export function consoleSpec(deployment: Deployment): ServiceSpec | null {
  const spec = serviceSpec(deployment, "console");
  return existsSync(spec.script) ? spec : null;
}

/** Returns one process for some agents. */
export function agentsSpec(deployment: Deployment, name: string, agents: readonly string[]): ServiceSpec {
  return specOf(deployment, { service: "agents", name, agents, redisUser: `agent-${agents[0] ?? ""}` });
}

interface Process {
  readonly service: ServiceName;
  /** Name of the process, its log and its key file. */
  readonly name: string;
  readonly agents: readonly string[];
  /** Its user of Redis, where each service has one. */
  readonly redisUser: string;
}

function specOf(deployment: Deployment, process: Process): ServiceSpec {
  const { name, service, agents } = process;
  return {
    name,
    script: join(SERVICES_DIR, service, `main${extname(import.meta.filename)}`),
    args: agents,
    env: environmentOf(deployment, process),
    logFile: join(deployment.config.dataDir, "logs", `${name}.log`),
  };
}

/**
 * All agents, spread over processes in turn. Isolated ones have a process each.
 *
 * @param processes - Default: one a core, 4 at most.
 */
export function agentSpecs(deployment: Deployment, processes?: number): ServiceSpec[] {
  const names = deployment.teams.flatMap((team) => [...team.agents.keys()]);
  if (deployment.config.trust === "isolated")
    return [...new Set(names)].map((name) => agentsSpec(deployment, `agents-${name}`, [name]));
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

function environmentOf(deployment: Deployment, { service, name, agents, redisUser }: Process) {
  const { config, shared, apiKeys, redisLogins = null } = deployment;
  const { secrets, usesRedis }: Service = SERVICES[service];
  const redisSecrets = usesRedis ? (["REDIS_URL", "SUTURE_REDIS_SENTINEL_PASSWORD"] as const) : [];
  const foreign = service === "agents" ? config.agentVariables : [];
  const named = { secrets: [...redisSecrets, ...secrets], foreign };
  const env = narrowEnvironment({ ...process.env, ...shared }, named);
  // A process that is started again, as after a crash, need not compile what it compiled before.
  env["NODE_COMPILE_CACHE"] ??= join(config.dataDir, "compiled");
  delete env["SUTURE_REDIS_USERS"];
  // Only one process can listen there; `withHealthPort` sets it.
  delete env["SUTURE_HEALTH_PORT"];
  const redisUrl = env["REDIS_URL"];
  if (!usesRedis) delete env["REDIS_URL"];
  else if (redisLogins !== null && redisUrl !== undefined)
    env["REDIS_URL"] = urlWithLogin(redisUrl, redisUser, redisLogins);
  if (secrets.includes("SUTURE_API_KEYS") && apiKeys !== null) env["SUTURE_API_KEYS"] = apiKeys;
  const keys = keyFileOf(deployment, { service, name, agents });
  if (keys === null) delete env["SUTURE_KEYS"];
  else env["SUTURE_KEYS"] = `@${keys}`;
  return env;
}

/** Returns the configured key file, else issues one for this process; null where the service needs none. */
function keyFileOf(
  { config, teams }: Deployment,
  { service, name, agents }: Pick<Process, "service" | "name" | "agents">,
): string | null {
  const { keys }: Service = SERVICES[service];
  if (keys === null || config.edgeKeysFile !== null) return keys === null ? null : config.edgeKeysFile;
  const { dataDir } = config;
  const edges = edgesOf(teams);
  return issueKeyFile({ dataDir, edges, agents: keys === "agents" ? agents : [service], name });
}
