import { join } from "node:path";
import { isSameProcess } from "../../../infra/lock-folder.mjs";
import { readState } from "../../../infra/redis/private-redis-state.ts";
import { startPrivateRedis } from "../../../infra/redis/private-redis.ts";
import { Secret } from "#shared/config";
import type { Config, ConfigOverrides } from "#shared/config";
import { Store, storeSettings } from "#shared/store";

/** Stand-ins answer at once or hang on purpose; a minute for each that hangs is more than a demo has. */
const REHEARSAL_TIMEOUT_MS = 6000;

/** Returns settings of a system that pays and writes to nobody. @param own.prefix - Of keys in a configured Redis. */
export function separateSettings(
  config: Config,
  own: { readonly dataDir: string; readonly seed?: number | undefined; readonly prefix: string },
): ConfigOverrides {
  const { dataDir, seed, prefix } = own;
  return {
    SUTURE_DATA_DIR: dataDir,
    SUTURE_SHOP_URL: "",
    SUTURE_DESK_URL: "",
    SUTURE_CRM_URL: "",
    SUTURE_SMTP_URL: "",
    ...(seed === undefined ? {} : { SUTURE_REHEARSAL_SEED: String(seed) }),
    ...(config.isRehearsal && !isSet("SUTURE_MODEL_TIMEOUT_MS")
      ? { SUTURE_MODEL_TIMEOUT_MS: String(REHEARSAL_TIMEOUT_MS) }
      : {}),
    ...(config.redisUrl === null ? {} : { SUTURE_PREFIX: prefix }),
  };
}

/** Returns whether the environment gives a variable a value. */
export function isSet(variable: string): boolean {
  return (process.env[variable] ?? "").trim() !== "";
}

/** Ends the Redis that a killed command left running in a data folder. */
export async function endLeftRedis(dataDir: string, say: (line: string) => void): Promise<void> {
  const state = readState(join(dataDir, "redis"));
  if (state === null || state.redis === "" || !isSameProcess(state.redis)) return;
  await (await startPrivateRedis({ dataDir, durability: "fast", say })).stop();
}

/** Opens the store of a launched deployment. Lost connections come back by themselves, so that errors are dropped. */
export function openStore(config: Config, redisUrl: string): Store {
  const settings = storeSettings(config, new Secret(redisUrl));
  return new Store({ ...settings, role: "producer", onError: () => undefined });
}
