import { ConfigError, loadConfig } from "#shared/config";

/** Why the replicated profile cannot be measured; null where it can. */
export function findWhyNotReplicated(): string | null {
  try {
    loadConfig({ SUTURE_REDIS_DURABILITY: "replicated", REDIS_URL: "redis://127.0.0.1" });
    return null;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return "this version refuses SUTURE_REDIS_DURABILITY=replicated";
  }
}
