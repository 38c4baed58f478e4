import type { Config } from "#shared/config";
import { checkRedisIsFit } from "./check-fit.ts";
import { waitUntilReady } from "./connect.ts";
import { checkDataFormat } from "./data-format.ts";
import { storeSettings } from "./store-settings.ts";
import type { StoreOptions } from "./store-settings.ts";
import { Store } from "./store.ts";

/** Time for Redis to answer, in ms: clients wait for what produces, and the queues for what works. */
const READY_WITHIN_MS = { producer: 10_000, worker: 30_000 } as const;

/**
 * Opens the configured store once its Redis answers and fits, and its data has this release's format.
 * @throws {ConfigError | StoreUnavailableError | StoreUnfitError}
 */
export async function openStore(
  config: Config,
  own: Pick<StoreOptions, "role" | "answerMs" | "archive" | "onError">,
): Promise<Store> {
  const store = new Store({ ...storeSettings(config), ...own });
  try {
    await waitUntilReady(store.redis, READY_WITHIN_MS[own.role]);
    await checkRedisIsFit(store);
    await checkDataFormat(store);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
