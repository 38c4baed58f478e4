import { join } from "node:path";
import { randomHex } from "#shared/clock";
import { loadConfig } from "#shared/config";
import type { ApiKey, Config } from "#shared/config";
import { keepSecret } from "./keep-secret.ts";

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
