export { exerciseModelClient } from "./exercise-model-client.ts";
export { forgingKeys } from "./forging-keys.ts";
export { HOSTILE_VALUES } from "./hostile-values.ts";
export { openTestStore } from "./open-test-store.ts";
export { deleteUnder, filePrefix, testPrefix, testRedis, testRedisUrl } from "./redis.ts";
export { refuseRequest } from "./refuse-request.ts";
export { createTestSystem } from "./test-system.ts";
export { unreachableModel } from "./system/open-system.ts";
export type { TestSystem } from "./system/open-system.ts";
