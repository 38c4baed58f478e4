import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "#shared/config";
import { createMaster, issueKeyring, Keyring } from "#shared/envelope";
import { edgesOf } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { keepSecret } from "./keep-secret.ts";

/** Where a machine that issues its own keys keeps the master, below the data folder. */
const MASTER_FILE = join("keys", "master");

/**
 * The gateway's edge keys: from the file that `suture keys issue gateway` wrote, or, on one machine with none
 * configured, derived from a master in the data folder.
 *
 * @throws {KeyringInvalidError}
 */
export async function openKeyring(
  config: Pick<Config, "dataDir" | "edgeKeysFile">,
  teams: readonly Team[],
): Promise<Keyring> {
  if (config.edgeKeysFile !== null) return Keyring.fromJson(await readFile(config.edgeKeysFile, "utf8"));
  const master = await keepSecret(join(config.dataDir, MASTER_FILE), createMaster);
  return issueKeyring({ master: master.trim(), agent: "gateway", edges: edgesOf(teams) });
}
