import { loadConfig } from "#shared/config";
import { CommandRefusedError } from "../errors.ts";
import { writeError } from "../print/print-answer.ts";
import { prepare } from "./prepare.ts";
import { agentNames, agentsSpec, serviceSpec, withHealthPort } from "./process-table.ts";
import type { Deployment, ServiceName } from "./process-table.ts";
import { findRunning } from "./run-file.ts";
import { FOREGROUND, spawnService } from "./spawn-service.ts";
import type { ServiceSpec } from "./spawn-service.ts";
import { listenForStop } from "./stop-signals.ts";

interface Wanted {
  readonly service: Exclude<ServiceName, "rehearsal">;
  readonly agents: readonly string[];
  readonly dataDir: string | undefined;
}

/** Runs a service until it or a signal ends it; returns its exit code. @throws {CommandRefusedError} No such agent. */
export async function runService(wanted: Wanted): Promise<number> {
  const folder = { SUTURE_DATA_DIR: wanted.dataDir };
  // A launcher that runs here has a model server already: the service uses that one.
  const url = findRunning(loadConfig(undefined, folder).dataDir)?.rehearsal_url ?? null;
  const overrides = { ...folder, ...(url === null ? {} : { SUTURE_REHEARSAL_PORT: new URL(url).port }) };
  const { deployment, privateRedis } = await prepare({ overrides, say: writeError });
  try {
    return await runInForeground(withHealthPort(deployment, specFor(deployment, wanted), 0));
  } finally {
    await privateRedis?.stop();
  }
}

function specFor(deployment: Deployment, { service, agents }: Wanted): ServiceSpec {
  if (service !== "agents") return serviceSpec(deployment, service);
  const known = agentNames(deployment);
  const unknown = agents.find((name) => !known.includes(name));
  if (unknown === undefined) return agentsSpec(deployment, `work-${agents.join("-")}`.slice(0, 100), agents);
  throw new CommandRefusedError(
    `No loaded team has an agent called ${unknown}.`,
    `There are ${known.join(", ") || "none"}.`,
  );
}

async function runInForeground(spec: ServiceSpec): Promise<number> {
  const child = spawnService(spec, FOREGROUND);
  const ended = new Promise<number>((resolve) => {
    child.once("error", () => resolve(1));
    child.once("exit", (code) => resolve(code ?? 1));
  });
  const { signal, release } = listenForStop(() => child.kill("SIGKILL"));
  signal.addEventListener("abort", () => child.kill("SIGTERM"), { once: true });
  return ended.finally(release);
}
