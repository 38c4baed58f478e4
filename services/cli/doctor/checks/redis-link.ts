import type { RedisAddress } from "#shared/config";
import { parseRedisUrl } from "#shared/config";
import { mastersOf, Store, storeSettings } from "#shared/store";
import type { Subject } from "../subject.ts";
import { askPlainly } from "./ask-plainly.ts";

const ANSWER_MS = 3000;

/** A connection to the Redis of the services, as the user that they or this command were given. */
export interface RedisLink {
  readonly address: RedisAddress;
  readonly store: Store;
  /** Asks each master. The answer of one that refuses is its error's text, which begins as Redis' code. */
  readonly ask: (...command: [string, ...string[]]) => Promise<string[]>;
  close(): Promise<void>;
}

/** Returns the way to Redis; null where no address is known. */
export function openRedisLink({ config }: Subject): RedisLink | null {
  const parsed = config.redisUrl === null ? null : parseRedisUrl(config.redisUrl.reveal());
  if (config.redisUrl === null || parsed === null || "problem" in parsed) return null;
  const store = new Store({
    ...storeSettings(config, config.redisUrl),
    role: "producer",
    answerMs: ANSWER_MS,
    onError: () => undefined,
  });
  return {
    address: parsed.address,
    store,
    ask: (...command) => Promise.all(mastersOf(store.redis).map((node) => answerOf(node, command))),
    close: () => store.close(),
  };
}

/** Asks the first node without user, password or certificate. */
export function askUnnamed({ address: { nodes, isTls } }: RedisLink, command: string): Promise<string> {
  const [node = { host: "127.0.0.1", port: 6379 }] = nodes;
  return askPlainly({ ...node, isTls, timeoutMs: ANSWER_MS }, [command]);
}

async function answerOf(
  redis: ReturnType<typeof mastersOf>[number],
  [name, ...args]: readonly [string, ...string[]],
): Promise<string> {
  try {
    const answer: unknown = await redis.call(name, ...args);
    return typeof answer === "string" ? answer : JSON.stringify(answer);
  } catch (error) {
    return textOf(error);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
