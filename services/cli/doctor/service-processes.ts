import { readdirSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { SERVICES } from "../service-table.ts";
import type { ServiceName } from "../service-table.ts";

/** A running process of a service, as the system shows it. */
export interface ServiceProcess {
  readonly pid: number;
  /** What it is called: `gateway`, `agents`, …; `services` where one process runs all of them. */
  readonly service: string;
  readonly services: readonly ServiceName[];
  readonly uid: number;
  /** Its whole environment, as it was started. */
  readonly env: Readonly<Record<string, string>>;
  readonly commandLine: readonly string[];
}

const SCRIPT = /(?:^|\/)services\/([a-z]+)\/main\.ts$/;
const TOGETHER = /(?:^|\/)run-together\.ts$/;

/**
 * Finds the processes of services with this data folder that this user may look into. Null where the system has no
 * `/proc`.
 */
export function findServiceProcesses(dataDir: string): readonly ServiceProcess[] | null {
  let entries: readonly string[];
  try {
    entries = readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));
  } catch {
    return null;
  }
  return entries.flatMap((entry) => {
    try {
      const found = readProcess(Number(entry));
      return found !== null && dataDirOf(found) === dataDir ? [found] : [];
    } catch {
      // It has ended meanwhile, or is another user's.
      return [];
    }
  });
}

function readProcess(pid: number): ServiceProcess | null {
  const commandLine = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  const services = servicesOf(commandLine);
  if (services.length === 0) return null;
  const env = Object.fromEntries(
    readFileSync(`/proc/${pid}/environ`, "utf8")
      .split("\0")
      .filter((entry) => entry.includes("="))
      .map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)] as const),
  );
  return {
    pid,
    service: services.length > 1 ? "services" : services.join(""),
    services,
    uid: statSync(`/proc/${pid}`).uid,
    env,
    commandLine,
  };
}

function servicesOf(commandLine: readonly string[]): readonly ServiceName[] {
  const together = commandLine.findIndex((word) => TOGETHER.test(word));
  const named =
    together < 0
      ? commandLine.map((word) => SCRIPT.exec(word)?.[1])
      : (commandLine[together + 1] ?? "").split(",");
  return named.filter(isService);
}

function isService(name: string | undefined): name is ServiceName {
  return name !== undefined && Object.hasOwn(SERVICES, name);
}

function dataDirOf({ pid, env }: ServiceProcess): string {
  return resolve(`/proc/${pid}/cwd`, env["SUTURE_DATA_DIR"] ?? ".suture");
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
