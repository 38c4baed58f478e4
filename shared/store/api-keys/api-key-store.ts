import { randomBytes } from "node:crypto";
import { z } from "zod";
import { now } from "#shared/clock";
import { API_SCOPES, digestOfSecret, keyNameOf, quotasSchema } from "#shared/config";
import type { NewApiKey } from "#shared/config";
import { readJson } from "#shared/json";
import { StoreUnavailableError } from "../errors.ts";
import { StorePart } from "../store-part.ts";

export const storedKeySchema = z.object({
  /** Full name: `tenant/name` outside the default tenant. */
  name: z.string(),
  tenant: z.string(),
  scope: z.enum(API_SCOPES),
  teams: z.array(z.string()).nullable(),
  quotas: quotasSchema,
  created_ms: z.number(),
  created_by: z.string(),
  expires_ms: z.number().nullable(),
});

/** An API key as stored, under the SHA-256 of its secret, which is not stored. Times in ms since the epoch. */
export type StoredKey = z.output<typeof storedKeySchema>;

/** Parses a stored key. Returns null for one that this release cannot read; it is refused. */
function readStoredKey(text: string): StoredKey | null {
  return storedKeySchema.safeParse(readJson(text)).data ?? null;
}

const SECRET_BYTES = 32;
const KEYS_MAX = 10_000;
const MINUTE_MS = 60_000;
const RATE_LIFE_S = 120;

/** Maximum age of the cached keys, in ms. Older caches refuse every key, because it may have been revoked since. */
const STALE_MS_MAX = 10_000;

/** Refresh interval of the cached keys, in ms. Bounds how long a revoked key is still accepted. */
export const API_KEYS_EVERY_MS = 500;

export type AddedKey =
  /** The secret is returned here only; Redis keeps its digest. */
  | { readonly kind: "added"; readonly key: StoredKey; readonly secret: string }
  | { readonly kind: "used" | "full" };

/** API keys made and revoked while services run, answered from a cache: `refresh` every `API_KEYS_EVERY_MS`. */
export class ApiKeyStore extends StorePart {
  private byDigest: ReadonlyMap<string, StoredKey> = new Map();
  private version: string | null = null;
  private readMs = Number.NEGATIVE_INFINITY;

  /** Reloads the keys if any has changed. */
  async refresh(): Promise<void> {
    const startedMs = performance.now();
    const version = (await this.redis.get(this.keys.door("api-keys:version"))) ?? "0";
    if (version !== this.version) {
      const fields = Object.entries(await this.redis.hgetall(this.keys.door("api-keys")));
      const read = fields.map(([digest, text]) => [digest, readStoredKey(text)] as const);
      this.byDigest = new Map(read.flatMap(([digest, key]) => (key === null ? [] : [[digest, key]])));
      // The version is read before the keys, so that a change between the two is read again.
      this.version = version;
    }
    this.readMs = startedMs;
  }

  /** Returns the key of this digest, expired or not; null for none. @throws {StoreUnavailableError} Stale cache. */
  withDigest(digest: string): StoredKey | null {
    const key = this.byDigest.get(digest) ?? null;
    if (key !== null) this.requireFresh();
    return key;
  }

  /** Returns all keys, sorted by name. */
  list(): StoredKey[] {
    return [...this.byDigest.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Creates a key. @param by - Name of the person who creates it. */
  async add({ name, expires_at, ...wanted }: NewApiKey, by: string): Promise<AddedKey> {
    const secret = `suture_${randomBytes(SECRET_BYTES).toString("base64url")}`;
    const key: StoredKey = {
      ...wanted,
      name: keyNameOf(wanted.tenant, name),
      created_ms: now(),
      created_by: by,
      expires_ms: expires_at === null ? null : Date.parse(expires_at),
    };
    const { apiKeys, names, version } = this.places;
    const digest = digestOfSecret(secret);
    if ((await this.redis.hlen(apiKeys)) >= KEYS_MAX) return { kind: "full" };
    if ((await this.redis.hsetnx(names, key.name, digest)) === 0) return { kind: "used" };
    await this.redis.multi().hset(apiKeys, digest, JSON.stringify(key)).incr(version).exec();
    await this.refresh();
    return { kind: "added", key, secret };
  }

  /** Deletes a key by its full name. This process refuses it at once, others within `API_KEYS_EVERY_MS`. */
  async revoke(name: string): Promise<boolean> {
    const { apiKeys, names, version } = this.places;
    const digest = await this.redis.hget(names, name);
    if (digest !== null)
      await this.redis.multi().hdel(apiKeys, digest).hdel(names, name).incr(version).exec();
    await this.refresh();
    return digest !== null;
  }

  /** Counts a request of a minute, over all processes. @returns ms until the next minute if over, else null. */
  async countRequest(name: string, perMinute: number): Promise<number | null> {
    const minute = Math.floor(now() / MINUTE_MS);
    const key = this.keys.door(`rate:${minute}:${name}`);
    const [count] = await Promise.all([this.redis.incr(key), this.redis.expire(key, RATE_LIFE_S)]);
    return count > perMinute ? (minute + 1) * MINUTE_MS - now() : null;
  }

  /** Hash of the keys by digest, hash of the digests by name, and a counter of changes. */
  private get places() {
    const { keys } = this;
    const [names, version] = [keys.door("api-keys:names"), keys.door("api-keys:version")];
    return { apiKeys: keys.door("api-keys"), names, version };
  }

  private requireFresh(): void {
    if (performance.now() - this.readMs <= STALE_MS_MAX) return;
    throw new StoreUnavailableError("reading the API keys", new Error("not read for too long"));
  }
}
