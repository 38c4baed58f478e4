import { parseRedisUrl } from "#shared/config";
import type { Config, RedisAddress } from "#shared/config";
import { mastersOf, Store, storeSettings } from "#shared/store";

const ANSWER_MS = 3000;

/** A connection to the Redis of the services, as the user that they or this command were given. */
export interface RedisLink {
  readonly address: RedisAddress;
  readonly store: Store;
  /** Asks each master. The answer of one that refuses is its error's text, which begins as Redis' code. */
  readonly ask: (...command: [string, ...string[]]) => Promise<string[]>;
}

/** Returns the way to Redis; null where no address is known. */
export function openRedisLink(config: Config): RedisLink | null {
  const parsed = config.redisUrl === null ? null : parseRedisUrl(config.redisUrl.reveal());
  if (config.redisUrl === null || parsed === null || "problem" in parsed) return null;
  const settings = {
    ...storeSettings(config, config.redisUrl),
    role: "producer",
    answerMs: ANSWER_MS,
  } as const;
  const store = new Store({ ...settings, onError: () => undefined });
  return {
    address: parsed.address,
    store,
    ask: (...command) => Promise.all(mastersOf(store.redis).map((node) => answerOf(node, command))),
  };
}

async function answerOf(
  redis: ReturnType<typeof mastersOf>[number],
  [name, ...args]: readonly [string, ...string[]],
): Promise<string> {
  try {
    const answer: unknown = await redis.call(name, ...args);
    return typeof answer === "string" ? answer : JSON.stringify(answer);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
