import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { runTool } from "./run-tool.ts";

/** A Redis server program. */
export interface RedisServer {
  /** Absolute path. */
  readonly command: string;
  /** Additional environment variables. */
  readonly env: Readonly<Record<string, string>>;
}

export const SERVER_NAMES = ["redis-server", "valkey-server"] as const;

/** Minimum version that BullMQ supports without a warning. */
const VERSION_MIN = { major: 6, minor: 2 };
const VERSION_TIMEOUT_MS = 10_000;

/** Returns the first program of that name on a PATH; null for none. */
export function findOnPath(name: string, path = process.env["PATH"] ?? ""): string | null {
  for (const folder of path.split(delimiter)) {
    if (isAbsolute(folder) && isExecutable(join(folder, name))) return join(folder, name);
  }
  return null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns true when the program runs and is new enough; one without its libraries does not run. */
export async function isUsable(server: RedisServer): Promise<boolean> {
  const { isOk, output } = await runTool({ ...server, args: ["--version"], timeoutMs: VERSION_TIMEOUT_MS });
  const version = /\bv=(\d+)\.(\d+)/.exec(output);
  if (!isOk || version === null) return false;
  const major = Number(version[1]);
  return (
    major > VERSION_MIN.major || (major === VERSION_MIN.major && Number(version[2]) >= VERSION_MIN.minor)
  );
}

/** Returns a usable redis-server or valkey-server on a PATH; null for none. */
export async function findRedisServer(path?: string): Promise<RedisServer | null> {
  for (const name of SERVER_NAMES) {
    const command = findOnPath(name, path);
    const server = command === null ? null : { command, env: {} };
    if (server !== null && (await isUsable(server))) return server;
  }
  return null;
}
