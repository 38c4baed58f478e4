import { onTestFinished } from "vitest";
import type { Team } from "#shared/runtime";
import { testPrefix, testRedisUrl } from "./redis.ts";
import { openSystem } from "./system/open-system.ts";
import type { SystemOptions, TestSystem } from "./system/open-system.ts";

/** Opens a team on the Redis of this test run; closed when the test has finished. */
export function createTestSystem(team: Team, options: SystemOptions = {}): TestSystem {
  const system = openSystem(team, { redisUrl: testRedisUrl(), prefix: testPrefix() }, options);
  onTestFinished(() => system.close());
  return system;
}
