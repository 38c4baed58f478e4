import { accessSync, constants, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { RedisMissingError } from "./errors.ts";
import { findOnPath, findRedisServer } from "./find-redis-server.ts";
import type { RedisServer } from "./find-redis-server.ts";
import { runTool } from "./run-tool.ts";
import { unpackRedisServer } from "./unpack-redis-server.ts";

const INSTALL_TIMEOUT_MS = 600_000;

export interface ObtainOptions {
  /** Receives one line before each slow step. */
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  /** Folder for an unpacked server when the user's cache folder, shared by all checkouts, is not writable. */
  readonly fallbackDir: string;
}

/** `$XDG_CACHE_HOME/suture/redis`, or the same under `~/.cache`. */
function chooseCacheDir(fallbackDir: string): string {
  const base = process.env["XDG_CACHE_HOME"] ?? "";
  const shared = join(isAbsolute(base) ? base : join(homedir(), ".cache"), "suture", "redis");
  try {
    mkdirSync(shared, { recursive: true });
    accessSync(shared, constants.W_OK);
    return shared;
  } catch {
    return fallbackDir;
  }
}

/**
 * Finds a server program or installs one without asking: on the PATH, unpacked from the distribution's package, or
 * through Homebrew.
 * @throws {RedisMissingError} with what was tried, and the three remaining ways.
 */
export async function obtainRedisServer(options: ObtainOptions): Promise<RedisServer> {
  const cacheDir = chooseCacheDir(options.fallbackDir);
  const troubles = new Set<string>();
  const onTrouble = (line: string): void => void troubles.add(line);
  const found =
    (await findRedisServer()) ??
    (await unpackRedisServer({ ...options, cacheDir, onTrouble })) ??
    (await installWithBrew(options));
  if (found !== null) return found;
  throw new RedisMissingError([
    "redis-server and valkey-server on the PATH",
    `the distribution's package through apt-get${troubles.size === 0 ? "" : ` (${[...troubles].join("; ")})`}`,
    "brew install redis",
  ]);
}

async function installWithBrew({ say, signal }: ObtainOptions): Promise<RedisServer | null> {
  if (findOnPath("brew") === null) return null;
  say("No redis-server here: installing it with Homebrew (brew install redis).");
  const env = { HOMEBREW_NO_AUTO_UPDATE: "1", NONINTERACTIVE: "1" };
  const args = ["install", "--quiet", "redis"];
  const installed = await runTool({ command: "brew", args, env, timeoutMs: INSTALL_TIMEOUT_MS, signal });
  const prefix = await runTool({
    command: "brew",
    args: ["--prefix"],
    timeoutMs: INSTALL_TIMEOUT_MS,
    signal,
  });
  return installed.isOk && prefix.isOk ? findRedisServer(join(prefix.output.trim(), "bin")) : null;
}
