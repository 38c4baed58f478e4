import { z } from "zod";
import { readJson } from "#shared/json";
import { StorePart } from "./store-part.ts";

/** A request that a service refused. Holds no payload and no secret. */
export const refusedAttemptSchema = z.object({
  /** RFC 3339, UTC. */
  at: z.string(),
  service: z.enum(["gateway", "console"]),
  /** Name of the API key or session; null if unauthenticated. */
  by: z.string().nullable(),
  /** Address of the client, or its /64 network. */
  address: z.string(),
  method: z.string(),
  /** Route pattern, never the actual path. */
  route: z.string(),
  status: z.int(),
  /** The problem's code; `damaged`: the record itself cannot be read. */
  code: z.string(),
  /** Refusals of the same process since its last record that were not recorded, because of their rate. */
  unrecorded: z.int(),
});

export type RefusedAttempt = z.output<typeof refusedAttemptSchema>;

/** Maximum records; the oldest is dropped. */
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

/** Requests that services refused; apart from the audit, so that they push no people's actions out of it. */
export class RefusalList extends StorePart {
  async add(attempt: RefusedAttempt): Promise<void> {
    const key = this.keys.refusals();
    await this.redis
      .multi()
      .lpush(key, JSON.stringify(attempt))
      .ltrim(key, 0, REFUSALS_MAX - 1)
      .exec();
  }

  /** Returns records, newest first. An unreadable one gets the code `damaged`. */
  async list(limit: number): Promise<RefusedAttempt[]> {
    const texts = await this.redis.lrange(this.keys.refusals(), 0, limit - 1);
    return texts.map(read);
  }
}

function read(text: string): RefusedAttempt {
  return refusedAttemptSchema.safeParse(readJson(text)).data ?? DAMAGED;
}
