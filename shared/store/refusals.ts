import { z } from "zod";
import type { Keys } from "./keys.ts";
import type { RedisClient } from "./script.ts";

const refusedAttemptSchema = z.object({
  /** RFC 3339, UTC. */
  at: z.string(),
  service: z.enum(["gateway", "console"]),
  /** Name of the API key or session; null where nobody was known. */
  by: z.string().nullable(),
  /** Address of the client, or its /64 network. */
  address: z.string(),
  method: z.string(),
  /** Pattern of the address, never the address itself. */
  route: z.string(),
  status: z.int(),
  /** The problem's code; `damaged`: the record itself cannot be read. */
  code: z.string(),
  /** Refusals of the same process that were not recorded since its last record, because they came too fast. */
  unrecorded: z.int(),
});

/** An attempt that a service refused. Holds no payload and no secret. */
export type RefusedAttempt = z.output<typeof refusedAttemptSchema>;

/** Records that are kept; the oldest goes for a new one. */
const REFUSALS_MAX = 1000;

const DAMAGED: RefusedAttempt = {
  at: "",
  service: "console",
  by: null,
  address: "",
  method: "",
  route: "",
  status: 0,
  code: "damaged",
  unrecorded: 0,
};

/**
 * What services refused, for people who look for attacks and misunderstandings. A list of its own, so that nobody can
 * push what people did out of the audit by being refused.
 */
export class RefusalList {
  private readonly redis: RedisClient;
  private readonly keys: Keys;

  constructor(redis: RedisClient, keys: Keys) {
    this.redis = redis;
    this.keys = keys;
  }

  async add(attempt: RefusedAttempt): Promise<void> {
    const key = this.keys.refusals();
    await this.redis
      .multi()
      .lpush(key, JSON.stringify(attempt))
      .ltrim(key, 0, REFUSALS_MAX - 1)
      .exec();
  }

  /** Returns the newest first. A record that cannot be read is one with the code `damaged`. */
  async list(limit: number): Promise<RefusedAttempt[]> {
    const texts = await this.redis.lrange(this.keys.refusals(), 0, limit - 1);
    return texts.map(read);
  }
}

function read(text: string): RefusedAttempt {
  try {
    return refusedAttemptSchema.parse(JSON.parse(text));
  } catch {
    return DAMAGED;
  }
}
