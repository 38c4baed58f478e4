import { rmSync } from "node:fs";
import { join } from "node:path";
import { randomHex } from "#shared/clock";
import { loadConfig } from "#shared/config";
import type { ConfigOverrides } from "#shared/config";
import { AlreadyRunningError } from "../errors.ts";
import { findRunning } from "../launcher/run-file.ts";
import { endLeftRedis, isSet, separateSettings } from "../launcher/separate-system.ts";

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
  if (!options.keep) {
    await endLeftRedis(dataDir, say);
    rmSync(dataDir, { recursive: true, force: true });
    say(`The demo's data folder is ${dataDir}, made new.`);
  }
  const prefix = options.keep ? null : `demo-${randomHex(6)}`;
  return {
    ...separateSettings(config, { ...options, dataDir, prefix }),
    // Nobody watches a demo for the minutes that a sick tool may take to come back.
    SUTURE_SURGEON_RESEND_MS: String(RESEND_MS),
    // Whoever tries it kills its Redis too, and on a slow disk `fast` then loses what it has acknowledged.
    ...(isSet("SUTURE_REDIS_DURABILITY") ? {} : { SUTURE_REDIS_DURABILITY: "durable" }),
  };
}
