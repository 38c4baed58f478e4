import { Secret } from "#shared/config";
import type { Config } from "#shared/config";
import { Store, storeSettings } from "#shared/store";

/** Opens the store of a launched deployment. Lost connections come back by themselves, so that errors are dropped. */
export function openStore(config: Config, redisUrl: string): Store {
  const settings = storeSettings(config, new Secret(redisUrl));
  return new Store({ ...settings, role: "producer", onError: () => undefined });
}
