export { deleteUnder, filePrefix, testPrefix, testRedis, testRedisUrl } from "./redis.ts";
