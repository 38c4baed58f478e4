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

const EXTENSION = extname(import.meta.filename);
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
  return specOf(deployment, {
    services: [service],
    name: service,
    script: scriptOf(service),
    args: [],
    agents: [service],
    redisUser: service,
  });
}

/** Returns the console's process; null where this copy has no console. */
export function consoleSpec(deployment: Deployment): ServiceSpec | null {
  return hasConsole() ? serviceSpec(deployment, "console") : null;
}

export function hasConsole(): boolean {
  return existsSync(scriptOf("console"));
}

/** Returns one process for some agents. */
export function agentsSpec(deployment: Deployment, name: string, agents: readonly string[]): ServiceSpec {
  const team = deployment.teams.find((one) => agents.every((agent) => one.agents.has(agent)));
  return specOf(deployment, {
    services: ["agents"],
    name,
    script: scriptOf("agents"),
    args: [...(team === undefined ? [] : [`--team=${team.name}`]), ...agents],
    agents,
    redisUser: `agent-${agents[0] ?? ""}`,
  });
}

interface Process {
  readonly services: readonly ServiceName[];
  /** Name of the process, its log and its key file. */
  readonly name: string;
  readonly script: string;
  readonly args: readonly string[];
  /** Those whose keys it gets. */
  readonly agents: readonly string[];
  /** Its user of Redis, where each service has one. */
  readonly redisUser: string;
}

function specOf(deployment: Deployment, process: Process): ServiceSpec {
  const { name, script, args, agents } = process;
  const logFile = join(deployment.config.dataDir, "logs", `${name}.log`);
  return { name, script, args, agents, env: environmentOf(deployment, process), logFile };
}

function scriptOf(service: ServiceName): string {
  return join(SERVICES_DIR, service, `main${EXTENSION}`);
}

/** Name of the process that runs all services, its log and its key file. */
const TOGETHER = "services";

/**
 * Returns true where one process runs all services: nothing keeps them apart, and nothing tells them apart (users of
 * Redis, traces, ports for health).
 */
export function runsTogether({ config, redisLogins = null }: Deployment): boolean {
  return redisLogins === null && config.healthPort === null && config.otlpEndpoint === null;
}

/** Returns one process for all services of a machine. */
export function togetherSpec(deployment: Deployment, withRehearsal: boolean): ServiceSpec {
  const agents = agentNames(deployment);
  const console: ServiceName[] = hasConsole() ? ["console"] : [];
  const services: ServiceName[] = ["gateway", "surgeon", "agents", ...console];
  return specOf(deployment, {
    services,
    name: TOGETHER,
    script: join(import.meta.dirname, `run-together${EXTENSION}`),
    args: [[...services, ...(withRehearsal ? ["rehearsal"] : [])].join(","), ...agents],
    agents: [...agents, "gateway", "surgeon", "console"],
    redisUser: TOGETHER,
  });
}

export function agentNames({ teams }: Deployment): string[] {
  return [...new Set(teams.flatMap((team) => [...team.agents.keys()]))];
}

/**
 * All agents, spread over processes in turn.
 *
 * @param processes - Default: one a core, 4 at most.
 */
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

function environmentOf(deployment: Deployment, { services, name, agents, redisUser }: Process) {
  const { config, shared, apiKeys, redisLogins = null } = deployment;
  const rows = services.map((service): Service => SERVICES[service]);
  const secrets = rows.flatMap((row) => row.secrets);
  const usesRedis = rows.some((row) => row.usesRedis);
  const redisSecrets = usesRedis ? (["REDIS_URL", "SUTURE_REDIS_SENTINEL_PASSWORD"] as const) : [];
  const foreign = services.includes("agents") ? config.agentVariables : [];
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
  const keys = rows.some((row) => row.keys !== null) ? keyFileOf(deployment, { name, agents }) : null;
  if (keys === null) delete env["SUTURE_KEYS"];
  else env["SUTURE_KEYS"] = `@${keys}`;
  return env;
}

/** Returns the configured key file, else issues one for this process. */
function keyFileOf(
  { config, teams }: Deployment,
  { name, agents }: Pick<Process, "name" | "agents">,
): string {
  const { dataDir, edgeKeysFile } = config;
  return edgeKeysFile ?? issueKeyFile({ dataDir, edges: edgesOf(teams), agents, name });
}
