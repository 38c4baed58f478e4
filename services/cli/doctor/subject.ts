import { readdirSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Config } from "#shared/config";
import { SERVICES } from "../launcher/process-table.ts";
import type { ServiceName } from "../launcher/process-table.ts";

/** The subject of an examination. */
export interface Subject {
  /** As configured, Redis and keys completed by what a running service was given. */
  readonly config: Config;
  /** Null where the system does not show processes. */
  readonly processes: readonly ServiceProcess[] | null;
}

/** A running process of a service, as the system shows it. */
export interface ServiceProcess {
  readonly pid: number;
  /** Its name: `gateway`, `agents`, …; `services` where one process runs all of them. */
  readonly service: string;
  readonly services: readonly ServiceName[];
  readonly uid: number;
  /** Its whole environment, as it was started. */
  readonly env: Readonly<Record<string, string>>;
  /** Its arguments: of a process of agents, their names among them. */
  readonly args: readonly string[];
}

/** Finds this data folder's service processes that this user may look into. Null where there is no `/proc`. */
export function findServiceProcesses(dataDir: string): readonly ServiceProcess[] | null {
  let entries: readonly string[];
  try {
    entries = readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));
  } catch {
    return null;
  }
  return entries.flatMap((entry) => {
    try {
      return readProcess(Number(entry)).filter(
        ({ pid, env }) => resolve(`/proc/${pid}/cwd`, env["SUTURE_DATA_DIR"] ?? ".suture") === dataDir,
      );
    } catch {
      // It has ended meanwhile, or is another user's.
      return [];
    }
  });
}

/** Reads a process; none where it is of no service. */
function readProcess(pid: number): ServiceProcess[] {
  const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  const script = words.findIndex((word) => /(?:^|\/)(?:services\/[a-z]+\/main|run-together)\.ts$/.test(word));
  const args = words.slice(script + 1).filter((word) => word !== "" && !word.startsWith("--"));
  const named = /services\/([a-z]+)\/main\.ts$/.exec(words[script] ?? "")?.[1] ?? args[0] ?? "";
  const services = script < 0 ? [] : named.split(",").filter(isService);
  if (services.length === 0) return [];
  const entries = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  const env = Object.fromEntries(
    entries.map((entry) => [entry.split("=", 1)[0], entry.replace(/^[^=]*=/, "")]),
  );
  const service = services.length > 1 ? "services" : services.join("");
  return [{ pid, service, services, uid: statSync(`/proc/${pid}`).uid, env, args }];
}

function isService(name: string): name is ServiceName {
  return Object.hasOwn(SERVICES, name);
}

/** Returns the file that a variable of a process names as `@file`; null where it holds its value itself. */
export function fileOfVariable({ pid, env }: ServiceProcess, name: string): string | null {
  const value = env[name] ?? "";
  return value.startsWith("@") ? resolve(`/proc/${pid}/cwd`, value.slice(1)) : null;
}

/** Returns the value of a variable, read from the file that it names; empty where that file cannot be read. */
export function readVariable(process: ServiceProcess, name: string): string {
  const file = fileOfVariable(process, name);
  if (file === null) return process.env[name] ?? "";
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
