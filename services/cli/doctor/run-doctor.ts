import { join } from "node:path";
import { loadConfig, parseRedisUrl, Secret } from "#shared/config";
import { checkArchive, checkRedis, ok } from "#shared/doctor";
import type { Finding } from "#shared/doctor";
import { REDIS_USERS } from "#shared/store";
import { isSameProcess } from "../../../infra/lock-folder.mjs";
import { readState } from "../../../infra/redis/private-redis-state.ts";
import { askOnce } from "../../../infra/redis/redis-process.ts";
import { EXIT } from "../errors.ts";
import { keyFile, readSecret } from "../launcher/key-files.ts";
import { printJson, write } from "../print/print-answer.ts";
import { checkMachine } from "./check-machine.ts";
import { findServiceProcesses, readVariable } from "./subject.ts";
import type { ServiceProcess, Subject } from "./subject.ts";

/** Checks what runs here, Redis and archive; prints the findings. @returns The exit code: 1 for a broken promise. */
export async function runDoctor(options: {
  readonly json?: boolean;
  readonly dataDir?: string;
}): Promise<number> {
  const subject = findSubject(options.dataDir);
  const asked = await Promise.all([examineRedis(subject), checkArchive(subject.config)]);
  return printFindings([ok("Node", process.version), ...checkMachine(subject), ...asked.flat()], options);
}

/** Prints findings. @returns The exit code: 1 if one has failed. */
export function printFindings(findings: readonly Finding[], { json }: { readonly json?: boolean }): number {
  const isSound = findings.every(({ state }) => state !== "failed");
  if (json === true) printJson({ sound: isSound, findings });
  else write(formatFindings(findings));
  return isSound ? EXIT.done : EXIT.failed;
}

/** Checks the Redis of the services; the private one as its owner. */
export function examineRedis({ config, processes }: Subject): Promise<Finding[]> {
  const own = readState(join(config.dataDir, "redis"));
  return checkRedis({
    config,
    logins: [...new Set((processes ?? []).flatMap(loginsOf))],
    askUnnamed: (node, command) => askOnce({ ...node, socket: "", password: "" }, command),
    ownerUrl: own !== null && isSameProcess(own.redis) ? new Secret(own.url) : null,
  });
}

/** The configuration of this command, completed by the variables of a running service. */
export function findSubject(dataDir: string | undefined): Subject {
  const first = loadConfig(undefined, { SUTURE_DATA_DIR: dataDir });
  const processes = findServiceProcesses(first.dataDir);
  const textOf = (name: string): string | undefined =>
    processes?.map((process) => readVariable(process, name)).find((value) => value !== "");
  const redisUrl = first.redisUrl?.reveal() ?? textOf("REDIS_URL")?.trim();
  const redisUrls = first.redisUrl === null ? textOf("SUTURE_REDIS_URLS") : undefined;
  const archiveUrl = first.archiveUrl === null ? textOf("SUTURE_ARCHIVE_URL")?.trim() : undefined;
  const generated = textOf("SUTURE_API_KEYS") ?? readSecret(keyFile.apiKeys(first.dataDir));
  const config = loadConfig(undefined, {
    SUTURE_DATA_DIR: first.dataDir,
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
    ...(redisUrls === undefined ? {} : { SUTURE_REDIS_URLS: redisUrls }),
    ...(archiveUrl === undefined ? {} : { SUTURE_ARCHIVE_URL: archiveUrl }),
    ...(first.apiKeys !== null || generated === null ? {} : { SUTURE_API_KEYS: generated }),
  });
  return { config, processes };
}

/** Returns the Redis users of a process. One with all services and a file of users is each of the roles. */
function loginsOf(process: ServiceProcess): string[] {
  const url = readVariable(process, "REDIS_URL").trim();
  if (process.services.length > 1 && (process.env["SUTURE_REDIS_USERS"] ?? "") !== "")
    return REDIS_USERS.filter((role) => role !== "readonly");
  const parsed = parseRedisUrl(url);
  return url === "" || "problem" in parsed ? [] : [parsed.address.username ?? "default"];
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
