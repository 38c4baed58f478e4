import { onTestFinished } from "vitest";
import { Store } from "#shared/store";
import { testPrefix, testRedisUrl } from "./redis.ts";

type StoreOptions = ConstructorParameters<typeof Store>[0];

const LIFE_MS = 3_600_000;

/** A worker's store on the tests' Redis, under a prefix of its own. Closed when the test has finished. */
export function openTestStore(options: Partial<StoreOptions> = {}): Store {
  const store = new Store({
    url: testRedisUrl(),
    prefix: testPrefix(),
    role: "worker",
    retentionMs: LIFE_MS,
    ledgerLifeMs: LIFE_MS,
    onError: () => undefined,
    ...options,
  });
  onTestFinished(() => store.close());
  return store;
}
