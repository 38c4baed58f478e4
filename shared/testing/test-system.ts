import { onTestFinished } from "vitest";
import { SutureError } from "#shared/errors";
import type { Team } from "#shared/runtime";
import { Store } from "#shared/store";
import { testPrefix, testRedisUrl } from "./redis.ts";
import { openSystem } from "./system/open-system.ts";
import type { SystemOptions, TestSystem } from "./system/open-system.ts";

/** Opens a team on the Redis of this test run; closed when the test has finished. */
export function createTestSystem(team: Team, options: SystemOptions = {}): TestSystem {
  const system = openSystem(team, { redisUrl: testRedisUrl(), prefix: testPrefix() }, options);
  onTestFinished(() => system.close());
  return system;
}

/** What a handler throws whose tool is away for now. */
export function awayError(): SutureError {
  return new SutureError({ code: "AWAY", failureClass: "transient", message: "not now", remedy: "wait" });
}

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
