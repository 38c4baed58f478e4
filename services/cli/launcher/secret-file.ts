import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { uuidv7 } from "#shared/clock";

/** Where the keys of one machine are, below its data folder. */
export const keyFile = {
  /** Everything is derived from it; read by the launcher and the key command alone. */
  master: (dataDir: string): string => join(dataDir, "keys", "master"),
  generations: (dataDir: string): string => join(dataDir, "keys", "generations.json"),
  issued: (dataDir: string): string => join(dataDir, "keys", "issued.json"),
  apiKeys: (dataDir: string): string => join(dataDir, "keys", "api-keys"),
  /** Passwords of the private Redis' users. */
  redisUsers: (dataDir: string): string => join(dataDir, "keys", "redis-users.json"),
  ofProcess: (dataDir: string, name: string): string => join(dataDir, "keys", `${name}.json`),
} as const;

/** Writes a secret atomically, readable by its owner only. */
export function writeSecret(file: string, text: string): void {
  const temporary = writeBeside(file, text);
  renameSync(temporary, file);
}

/** Reads a secret, and creates it at first use: it appears whole and is never overwritten, so all read the same. */
export function keepSecret(file: string, make: () => string): string {
  const found = readSecret(file);
  if (found !== null) return found;
  const temporary = writeBeside(file, make());
  try {
    linkSync(temporary, file);
  } catch (error) {
    // Another process was first; its secret is the one that counts.
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  return readFileSync(file, "utf8");
}

/** Reads a secret; null where the file does not exist. */
export function readSecret(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

function writeBeside(file: string, text: string): string {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${uuidv7()}`;
  writeFileSync(temporary, text, { mode: 0o600, flush: true });
  return temporary;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
