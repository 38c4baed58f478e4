import { isPackage, ONE_AGENT } from "../compose/containers.ts";
import type { AgentContainer, Container } from "../compose/containers.ts";
import { objectName } from "./object-name.ts";

/** Labels of pods, by which policies and monitors choose them. */
export const LABEL = {
  component: "app.kubernetes.io/component",
  team: "suture/team",
  redis: "suture/redis",
  outside: "suture/outside",
  metrics: "suture/metrics",
} as const;

/** Ports of services, and that of health and metrics of all but the gateway and the reader. */
export const PORT = { gateway: 8080, console: 8081, reader: 8090, health: 9090, redis: 6379 } as const;

/** Selects the pods of one workload. */
export const podsOf = (name: string): Record<string, string> => ({ [LABEL.component]: name });

/** The health check of a container: a request, which starts no process in it. */
export interface Health {
  readonly port: number;
  readonly alive: string;
  readonly ready: string;
}

/** A container with all that its pod needs beyond it. */
export interface Workload {
  readonly container: Container;
  /** Name of its objects. */
  readonly name: string;
  readonly command: readonly string[];
  /** Port that others reach; null: none. */
  readonly port: number | null;
  readonly health: Health;
  /** Time to finish what is in hand once it is told to stop, in ms. */
  readonly stopGraceMs: number;
  readonly env: Readonly<Record<string, string>>;
  /** Labels that give its pods more than the name. */
  readonly labels: Readonly<Record<string, string>>;
}

/** `SUTURE_STOP_GRACE_MS` of services: its default. */
const STOP_GRACE_MS = 10_000;
/** Most that `SUTURE_STOP_GRACE_MS` may be. */
const STOP_GRACE_MS_MAX = 3_600_000;

const processHealth: Health = { port: PORT.health, alive: "/healthz", ready: "/readyz" };

/** Returns the workload of a service. @param env - Beyond what all have. */
export function serviceWorkload(container: Container, env: Readonly<Record<string, string>> = {}): Workload {
  const { name } = container;
  const isGateway = name === "gateway";
  return {
    container,
    name: objectName(name),
    command: nodeCommand(name, [], ["--disable-sigusr1"]),
    port: name === "gateway" || name === "console" ? PORT[name] : null,
    health: isGateway ? { ...processHealth, port: PORT.gateway } : processHealth,
    stopGraceMs: STOP_GRACE_MS,
    env,
    labels: {
      [LABEL.redis]: "true",
      [LABEL.outside]: "true",
      ...(isGateway ? {} : { [LABEL.metrics]: "true" }),
    },
  };
}

/** Returns the workload of one agent. It may finish its longest step before it ends. */
export function agentWorkload(container: AgentContainer): Workload {
  const stopGraceMs = Math.min(Math.max(container.handlerTimeoutMs, STOP_GRACE_MS), STOP_GRACE_MS_MAX);
  const readerUrl =
    container.kind === "reading-agent" ? { SUTURE_READER_URL: `http://reader:${PORT.reader}` } : {};
  return {
    container,
    name: objectName(container.name),
    command: nodeCommand("agents", [`--team=${container.team}`, container.agent], ONE_AGENT),
    port: null,
    health: processHealth,
    stopGraceMs,
    env: { SUTURE_STOP_GRACE_MS: String(stopGraceMs), ...readerUrl },
    labels: {
      [LABEL.team]: objectName(container.team),
      [LABEL.redis]: "true",
      [LABEL.metrics]: "true",
      ...(container.kind === "model-agent" ? { [LABEL.outside]: "true" } : {}),
    },
  };
}

/** Returns the workload that opens uploaded files for the documents team, without Redis and a way out. */
export function readerWorkload(container: Container): Workload {
  const served = ["serve-agent", "services/agents/documents/ingest/reader.ts", "--host", "0.0.0.0"];
  const token = ["--token-file", "/run/secrets/reader-token"];
  const port = ["--port", String(PORT.reader), "--url", `http://reader:${PORT.reader}`];
  return {
    container,
    name: container.name,
    command: ["node", "--disable-sigusr1", "services/cli/main.ts", ...served, ...port, ...token],
    port: PORT.reader,
    health: { port: PORT.reader, alive: "/health", ready: "/health" },
    stopGraceMs: STOP_GRACE_MS,
    env: {},
    labels: {},
  };
}

function nodeCommand(service: string, args: readonly string[], options: readonly string[]): string[] {
  return isPackage
    ? ["node", ...options, "node_modules/suture/service.js", service, ...args]
    : ["node", ...options, `services/${service}/main.ts`, ...args];
}
