import { spawn } from "node:child_process";
import { loadConfig } from "#shared/config";
import type { ConfigOverrides } from "#shared/config";
import { CommandRefusedError } from "../errors.ts";
import { writeError } from "../print/print-answer.ts";
import type { ServiceName } from "../service-table.ts";
import { prepare } from "./prepare.ts";
import { agentsSpec, consoleSpec, serviceSpec, withHealthPort } from "./process-table.ts";
import type { Deployment } from "./process-table.ts";
import { findRunning } from "./run-file.ts";
import { nodeArgs } from "./service-spec.ts";
import type { ServiceSpec } from "./service-spec.ts";
import { listenForStop } from "./stop-signals.ts";
import { STOP_WITH_PARENT } from "./supervised-process.ts";

const say = writeError;

/**
 * Runs one service in the foreground, with its log on this process's output, until it ends or a signal ends it.
 *
 * @returns Its exit code.
 * @throws {CommandRefusedError} There is no such agent, or no such service in this copy.
 */
export async function runService(wanted: {
  readonly service: Exclude<ServiceName, "rehearsal">;
  readonly agents: readonly string[];
  readonly dataDir: string | undefined;
}): Promise<number> {
  const { deployment, privateRedis } = await prepare({ overrides: overridesFor(wanted.dataDir), say });
  try {
    return await runInForeground(withHealthPort(deployment, specFor(deployment, wanted), 0));
  } finally {
    await privateRedis?.stop();
  }
}

/** What runs here already has its model server somewhere: the service is to use that one. */
function overridesFor(dataDir: string | undefined): ConfigOverrides {
  const config = loadConfig(undefined, { SUTURE_DATA_DIR: dataDir });
  const rehearsalUrl = findRunning(config.dataDir)?.rehearsal_url ?? null;
  return {
    SUTURE_DATA_DIR: dataDir,
    ...(rehearsalUrl === null ? {} : { SUTURE_REHEARSAL_PORT: new URL(rehearsalUrl).port }),
  };
}

function specFor(
  deployment: Deployment,
  {
    service,
    agents,
  }: { readonly service: Exclude<ServiceName, "rehearsal">; readonly agents: readonly string[] },
): ServiceSpec {
  if (service === "agents") {
    refuseUnknown(deployment, agents);
    return agentsSpec(deployment, `work-${agents.join("-")}`.slice(0, 100), agents);
  }
  if (service !== "console") return serviceSpec(deployment, service);
  const spec = consoleSpec(deployment);
  if (spec === null) throw new CommandRefusedError("This copy has no console.", "Install one that has.");
  return spec;
}

function refuseUnknown({ teams }: Deployment, agents: readonly string[]): void {
  const known = teams.flatMap((team) => [...team.agents.keys()]);
  const unknown = agents.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new CommandRefusedError(
    `No loaded team has an agent called ${unknown}.`,
    `There are ${known.join(", ") || "none"}.`,
  );
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
