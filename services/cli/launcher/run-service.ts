import { spawn } from "node:child_process";
import { loadConfig } from "#shared/config";
import type { ConfigOverrides } from "#shared/config";
import { CommandRefusedError } from "../errors.ts";
import { writeError } from "../print/print-answer.ts";
import type { ServiceName } from "../service-table.ts";
import { prepare } from "./prepare.ts";
import { agentNames, agentsSpec, consoleSpec, serviceSpec, withHealthPort } from "./process-table.ts";
import type { Deployment } from "./process-table.ts";
import { findRunning } from "./run-file.ts";
import { nodeArgs } from "./service-spec.ts";
import type { ServiceSpec } from "./service-spec.ts";
import { listenForStop } from "./stop-signals.ts";
import { STOP_WITH_PARENT } from "./supervised-process.ts";

interface Wanted {
  readonly service: Exclude<ServiceName, "rehearsal">;
  readonly agents: readonly string[];
  readonly dataDir: string | undefined;
}

/**
 * Runs one service in the foreground, with its log on this process's output, until it ends or a signal ends it.
 *
 * @returns Its exit code.
 * @throws {CommandRefusedError} There is no such agent, or no such service in this copy.
 */
export async function runService(wanted: Wanted): Promise<number> {
  const { deployment, privateRedis } = await prepare({
    overrides: overridesFor(wanted.dataDir),
    say: writeError,
  });
  try {
    return await runInForeground(withHealthPort(deployment, specFor(deployment, wanted), 0));
  } finally {
    await privateRedis?.stop();
  }
}

/** What runs here already has its model server somewhere: the service is to use that one. */
function overridesFor(dataDir: string | undefined): ConfigOverrides {
  const config = loadConfig(undefined, { SUTURE_DATA_DIR: dataDir });
  const url = findRunning(config.dataDir)?.rehearsal_url ?? null;
  return {
    SUTURE_DATA_DIR: dataDir,
    ...(url === null ? {} : { SUTURE_REHEARSAL_PORT: new URL(url).port }),
  };
}

function specFor(
  deployment: Deployment,
  { service, agents }: Pick<Wanted, "service" | "agents">,
): ServiceSpec {
  if (service === "agents") {
    const known = agentNames(deployment);
    const unknown = agents.find((name) => !known.includes(name));
    if (unknown !== undefined)
      throw new CommandRefusedError(
        `No loaded team has an agent called ${unknown}.`,
        `There are ${known.join(", ") || "none"}.`,
      );
    return agentsSpec(deployment, `work-${agents.join("-")}`.slice(0, 100), agents);
  }
  const spec = service === "console" ? consoleSpec(deployment) : serviceSpec(deployment, service);
  if (spec === null) throw new CommandRefusedError("This copy has no console.", "Install one that has.");
  return spec;
}

async function runInForeground(spec: ServiceSpec): Promise<number> {
  const child = spawn(process.execPath, nodeArgs(spec, ["--import", STOP_WITH_PARENT]), {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...spec.env },
    detached: true,
  });
  const ended = new Promise<number>((resolve) => {
    child.once("error", () => resolve(1));
    child.once("exit", (code) => resolve(code ?? 1));
  });
  const { signal, release } = listenForStop(() => child.kill("SIGKILL"));
  signal.addEventListener("abort", () => child.kill("SIGTERM"), { once: true });
  try {
    return await ended;
  } finally {
    release();
  }
}
