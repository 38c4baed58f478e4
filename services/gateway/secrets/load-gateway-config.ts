import { dirname, join } from "node:path";
import { randomHex, uuidv7 } from "#shared/clock";
import { loadConfig } from "#shared/config";
import type { ApiKey, Config } from "#shared/config";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";

/** The configuration of a gateway: there are always keys. */
export type GatewayConfig = Config & { readonly apiKeys: readonly ApiKey[] };

/** Where generated API keys are kept, below the data folder; in the form of `SUTURE_API_KEYS=@file`. */
const API_KEYS_FILE = join("keys", "api-keys");
const SECRET_BYTES = 24;

/**
 * Completes the configuration: with no API keys configured, those of the data folder, made at the first start.
 *
 * @throws {ConfigError}
 */
export async function loadGatewayConfig(config: Config): Promise<GatewayConfig> {
  if (config.apiKeys !== null) return { ...config, apiKeys: config.apiKeys };
  const file = join(config.dataDir, API_KEYS_FILE);
  await keepSecret(file, () => `local:admin:${randomHex(SECRET_BYTES)}\n`);
  const completed = loadConfig(undefined, { SUTURE_API_KEYS: `@${file}` });
  return { ...completed, apiKeys: completed.apiKeys ?? [] };
}

/**
 * Reads a secret of this machine, made at the first start. Of several processes that start at once one makes it and all
 * read the same: the file appears whole or not at all, and is never written over.
 *
 * @param path - File, readable by its owner only.
 * @param make - Gives the text of a new one.
 */
export async function keepSecret(path: string, make: () => string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${uuidv7()}`;
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
  try {
    await writeFile(temporary, make(), { mode: 0o600, flush: true });
    await link(temporary, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return readFile(path, "utf8");
}

/** The system's own code, not a message. */
function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
