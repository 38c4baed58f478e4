import { rmSync } from "node:fs";
import { join } from "node:path";
import { randomHex } from "#shared/clock";
import { loadConfig } from "#shared/config";
import type { ConfigOverrides } from "#shared/config";
import { isSameProcess } from "../../../infra/lock-folder.mjs";
import { startPrivateRedis } from "../../../infra/redis/private-redis.ts";
import { readState } from "../../../infra/redis/private-redis-state.ts";
import { AlreadyRunningError } from "../errors.ts";
import { findRunning } from "../launcher/run-file.ts";

/** Stand-ins answer at once or hang on purpose; a minute for each that hangs is more than a demo has. */
const REHEARSAL_TIMEOUT_MS = 6000;
/** Time before a message whose tool was away goes on as it stands, in ms. */
const RESEND_MS = 1500;

/**
 * Empties the demo's own folder below the data folder, so that a demo never mixes with real work.
 *
 * @returns Settings of the demo's services, laid over the environment.
 * @throws {AlreadyRunningError} Another demo works there.
 */
export async function prepareFolder(
  options: { readonly seed?: number; readonly keep: boolean },
  say: (line: string) => void,
): Promise<ConfigOverrides> {
  const config = loadConfig();
  const dataDir = join(config.dataDir, "demo");
  const running = findRunning(dataDir);
  if (running !== null) throw new AlreadyRunningError({ pid: running.pid, dataDir });
  if (!options.keep) await empty(dataDir, say);
  const isSet = (variable: string): boolean => (process.env[variable] ?? "").trim() !== "";
  return {
    SUTURE_DATA_DIR: dataDir,
    // A demo pays nobody and writes to nobody.
    SUTURE_SHOP_URL: "",
    SUTURE_DESK_URL: "",
    SUTURE_CRM_URL: "",
    SUTURE_SMTP_URL: "",
    // Nobody watches a demo for the minutes that a sick tool may take to come back.
    SUTURE_SURGEON_RESEND_MS: String(RESEND_MS),
    ...(options.seed === undefined ? {} : { SUTURE_REHEARSAL_SEED: String(options.seed) }),
    // Whoever tries it kills its Redis too, and on a slow disk `fast` then loses what it has acknowledged.
    ...(isSet("SUTURE_REDIS_DURABILITY") ? {} : { SUTURE_REDIS_DURABILITY: "durable" }),
    ...(config.isRehearsal && !isSet("SUTURE_MODEL_TIMEOUT_MS")
      ? { SUTURE_MODEL_TIMEOUT_MS: String(REHEARSAL_TIMEOUT_MS) }
      : {}),
    // A configured Redis may hold other data under other prefixes.
    ...(config.redisUrl === null || options.keep ? {} : { SUTURE_PREFIX: `demo-${randomHex(6)}` }),
  };
}

/** Deletes the folder. First stops a Redis that a killed demo left running there. */
async function empty(dataDir: string, say: (line: string) => void): Promise<void> {
  const state = readState(join(dataDir, "redis"));
  if (state !== null && state.redis !== "" && isSameProcess(state.redis)) {
    const redis = await startPrivateRedis({ dataDir, durability: "fast", say });
    await redis.stop();
  }
  rmSync(dataDir, { recursive: true, force: true });
  say(`The demo's data folder is ${dataDir}, made new.`);
}
