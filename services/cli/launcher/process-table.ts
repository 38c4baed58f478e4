import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Config, VariableName } from "#shared/config";
import { edgesOf } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { issueBridgeKeyFile } from "../keys/crossing-keys.ts";
import { narrowEnvironment } from "./environment.ts";
import { issueKeyFile } from "./key-files.ts";
import { urlWithLogin } from "./redis-logins.ts";
import type { RedisLogins } from "./redis-logins.ts";
import type { ServiceSpec } from "./service-spec.ts";

const SERVICES = fileURLToPath(new URL("../../", import.meta.url));

/** More processes on one machine than this only wait for each other. */
const PROCESSES_DEFAULT_MAX = 4;

/** What every service of one launcher is told. */
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

/** What a service is told beyond what all are told. A secret that is not asked for here does not reach it. */
interface Needs {
  /** Agents whose edges' keys it is given. */
  readonly agents?: readonly string[];
  readonly needsApiKeys?: boolean;
  readonly needsModelKey?: boolean;
  /** Addresses and secrets of those who are told by webhook. */
  readonly needsWebhooks?: boolean;
  /** Who lives elsewhere, with the secrets of bridges, and the keys of what crosses. */
  readonly isBridge?: boolean;
  readonly args?: readonly string[];
  /** Its user of Redis, where each service has one. Default: the name. */
  readonly redisUser?: string;
  /** Folder below `services`. Default: the name. */
  readonly folder?: string;
}

export function serviceSpec(deployment: Deployment, name: string, needs: Needs = {}): ServiceSpec {
  const { dataDir } = deployment.config;
  return {
    name,
    script: join(SERVICES, needs.folder ?? name, "main.ts"),
    args: needs.args ?? [],
    env: environmentOf(deployment, name, needs),
    logFile: join(dataDir, "logs", `${name}.log`),
  };
}

export function gatewaySpec(deployment: Deployment): ServiceSpec {
  return serviceSpec(deployment, "gateway", { agents: ["gateway"], needsApiKeys: true });
}

export function surgeonSpec(deployment: Deployment): ServiceSpec {
  return serviceSpec(deployment, "surgeon", {
    agents: ["surgeon"],
    needsModelKey: true,
    needsWebhooks: true,
  });
}

/** Null where this copy has no console. */
export function consoleSpec(deployment: Deployment): ServiceSpec | null {
  const spec = serviceSpec(deployment, "console", {
    agents: ["console"],
    needsApiKeys: true,
    needsModelKey: true,
  });
  return existsSync(spec.script) ? spec : null;
}

export function bridgeSpec(deployment: Deployment): ServiceSpec {
  return serviceSpec(deployment, "bridge", { isBridge: true });
}

export function relaySpec(deployment: Deployment): ServiceSpec {
  return serviceSpec(deployment, "relay", { agents: ["relay"] });
}

export function rehearsalSpec(deployment: Deployment): ServiceSpec {
  return serviceSpec(deployment, "rehearsal");
}

/** One process for some agents. */
export function agentsSpec(deployment: Deployment, name: string, agents: readonly string[]): ServiceSpec {
  return serviceSpec(deployment, name, {
    agents,
    args: agents,
    folder: "agents",
    needsModelKey: true,
    redisUser: `agent-${agents[0] ?? ""}`,
  });
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

function environmentOf(deployment: Deployment, name: string, needs: Needs): Record<string, string> {
  const { config, teams, shared, apiKeys } = deployment;
  const secrets: VariableName[] = [
    ...(name === "rehearsal" ? [] : (["REDIS_URL", "SUTURE_REDIS_SENTINEL_PASSWORD"] as const)),
    ...(needs.needsModelKey === true ? (["OPENAI_API_KEY"] as const) : []),
    ...(needs.needsWebhooks === true ? (["SUTURE_WEBHOOKS"] as const) : []),
    ...(needs.needsApiKeys === true ? (["SUTURE_API_KEYS"] as const) : []),
    ...(needs.isBridge === true ? (["SUTURE_BRIDGE_PEERS"] as const) : []),
  ];
  const foreign = needs.folder === "agents" ? config.agentVariables : [];
  const env = narrowEnvironment({ ...process.env, ...shared }, { secrets, foreign });
  // A process that is started again, as after a crash, need not compile what it compiled before.
  env["NODE_COMPILE_CACHE"] ??= join(deployment.config.dataDir, "compiled");
  delete env["SUTURE_KEYS"];
  delete env["SUTURE_REDIS_USERS"];
  const { redisLogins = null } = deployment;
  const redisUrl = env["REDIS_URL"];
  if (name === "rehearsal") delete env["REDIS_URL"];
  else if (redisLogins !== null && redisUrl !== undefined)
    env["REDIS_URL"] = urlWithLogin(redisUrl, needs.redisUser ?? name, redisLogins);
  // Only one process can listen there: `withHealthPort` says which.
  delete env["SUTURE_HEALTH_PORT"];
  if (needs.needsApiKeys === true && apiKeys !== null) env["SUTURE_API_KEYS"] = apiKeys;
  if (needs.isBridge === true) {
    const { dataDir, bridge, edgeKeysFile } = config;
    const elsewhere = bridge.peers.flatMap((peer) => peer.agents);
    env["SUTURE_KEYS"] =
      `@${edgeKeysFile ?? issueBridgeKeyFile({ dataDir, edges: edgesOf(teams), elsewhere })}`;
  }
  if (needs.agents !== undefined) {
    env["SUTURE_KEYS"] =
      config.edgeKeysFile === null
        ? `@${issueKeyFile({ dataDir: config.dataDir, edges: edgesOf(teams), agents: needs.agents, name })}`
        : `@${config.edgeKeysFile}`;
  }
  return env;
}
