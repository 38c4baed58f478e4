import { loadConfig } from "#shared/config";
import type { Config } from "#shared/config";
import { loadTeams } from "#shared/runtime/process";
import { EXIT } from "../end-with.ts";
import { printJson, write } from "../print/print-answer.ts";
import { readSecret } from "../launcher/secret-file.ts";
import { keyFile } from "../launcher/places.ts";
import { checkEdgeKeys } from "./checks/check-edge-keys.ts";
import { checkMachine } from "./checks/check-machine.ts";
import { checkRedis } from "./checks/check-redis.ts";
import { ok } from "./finding.ts";
import type { Finding, Subject } from "./finding.ts";
import { findServiceProcesses, readVariable } from "./service-processes.ts";
import type { ServiceProcess } from "./service-processes.ts";

/**
 * Looks at what runs here and at its Redis, and prints what holds and what is open.
 *
 * @returns The exit code: 1 if something that is promised does not hold.
 */
export async function runDoctor(options: {
  readonly json?: boolean;
  readonly dataDir?: string;
}): Promise<number> {
  const subject = await findSubject(options.dataDir);
  const found = [...checkMachine(subject), ...checkEdgeKeys(subject), ...(await checkRedis(subject))];
  const findings = [ok("Node", process.version), ...found];
  const isSound = findings.every(({ state }) => state !== "failed");
  if (options.json === true) printJson({ sound: isSound, findings });
  else write(formatFindings(findings));
  return isSound ? EXIT.done : EXIT.failed;
}

async function findSubject(dataDir: string | undefined): Promise<Subject> {
  const first = loadConfig(undefined, { SUTURE_DATA_DIR: dataDir });
  const processes = findServiceProcesses(first.dataDir);
  const config = completed(first, processes ?? []);
  return { config, processes, teams: await loadTeams(config.teamsDir) };
}

/** Completes the configuration of this command by the variables of a running service. */
function completed(config: Config, processes: readonly ServiceProcess[]): Config {
  const textOf = (name: string): string | undefined =>
    processes.map((process) => readVariable(process, name)).find((value) => value !== "");
  const generated = readSecret(keyFile.apiKeys(config.dataDir)) ?? undefined;
  const redisUrl = config.redisUrl?.reveal() ?? textOf("REDIS_URL");
  const apiKeys = textOf("SUTURE_API_KEYS") ?? generated;
  return loadConfig(undefined, {
    SUTURE_DATA_DIR: config.dataDir,
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl.trim() }),
    ...(config.apiKeys !== null || apiKeys === undefined ? {} : { SUTURE_API_KEYS: apiKeys }),
  });
}

/** A line for each finding and its advice below it, so that no cell is cut. */
function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, seen, state, todo }) => [
    `${check.padEnd(width)}  ${state.padEnd(6)}  ${seen}`,
    ...(todo === "" ? [] : [`${" ".repeat(width)}  →       ${todo}`]),
  ]);
  const count = (state: Finding["state"]): number => findings.filter((one) => one.state === state).length;
  return [...lines, "", `${count("ok")} ok, ${count("open")} open, ${count("failed")} failed`].join("\n");
}
