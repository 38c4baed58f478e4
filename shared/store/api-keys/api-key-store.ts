import { randomBytes } from "node:crypto";
import { now } from "#shared/clock";
import { digestOfSecret, keyNameOf } from "#shared/config";
import type { NewApiKey } from "#shared/config";
import { StoreUnavailableError } from "../errors.ts";
import type { Keys } from "../keys.ts";
import { addApiKey, countRequest, removeApiKey } from "../scripts/api-keys.ts";
import type { RedisClient } from "../script.ts";
import { readStoredKey } from "./stored-key.ts";
import type { StoredKey } from "./stored-key.ts";

const SECRET_BYTES = 32;
const KEYS_MAX = 10_000;
const MINUTE_MS = 60_000;

/** A process that has not read the keys for so long lets nobody pass with one: it may have been revoked. In ms. */
const STALE_MS_MAX = 10_000;

/** How often every process reads what has changed, in ms: so soon a revoked key is refused everywhere. */
export const API_KEYS_EVERY_MS = 500;

export type AddedKey =
  /** The secret is nowhere else. */
  | { readonly kind: "added"; readonly key: StoredKey; readonly secret: string }
  | { readonly kind: "used" | "full" };

/**
 * API keys that are made and revoked while services run, shared by all of them. A process answers from what it read
 * last, so that a request costs no question; `refresh` is to be called every `API_KEYS_EVERY_MS`.
 */
export class ApiKeyStore {
  private readonly redis: RedisClient;
  private readonly keys: Keys;
  private byDigest: ReadonlyMap<string, StoredKey> = new Map();
  private version: string | null = null;
  private readMs = Number.NEGATIVE_INFINITY;

  constructor(redis: RedisClient, keys: Keys) {
    this.redis = redis;
    this.keys = keys;
  }

  /** Reads the keys if any has changed. */
  async refresh(): Promise<void> {
    const startedMs = performance.now();
    const version = (await this.redis.get(this.keys.door("api-keys:version"))) ?? "0";
    if (version !== this.version) {
      const fields = Object.entries(await this.redis.hgetall(this.keys.door("api-keys")));
      const read = fields.map(([digest, text]) => [digest, readStoredKey(text)] as const);
      this.byDigest = new Map(read.flatMap(([digest, key]) => (key === null ? [] : [[digest, key]])));
      // Read before the keys: a change between the two is read again.
      this.version = version;
    }
    this.readMs = startedMs;
  }

  /**
   * The key whose secret has this digest; expired ones too.
   *
   * @throws {StoreUnavailableError} It may have been revoked since.
   */
  withDigest(digest: string): StoredKey | null {
    const key = this.byDigest.get(digest) ?? null;
    if (key !== null) this.requireFresh();
    return key;
  }

  /** By name. */
  list(): StoredKey[] {
    return [...this.byDigest.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Makes a key. @param by - Who asks for it. */
  async add({ name, expires_at, ...wanted }: NewApiKey, by: string): Promise<AddedKey> {
    const secret = `suture_${randomBytes(SECRET_BYTES).toString("base64url")}`;
    const key: StoredKey = {
      ...wanted,
      name: keyNameOf(wanted.tenant, name),
      created_ms: now(),
      created_by: by,
      expires_ms: expires_at === null ? null : Date.parse(expires_at),
    };
    const kind = await addApiKey.run(this.redis, {
      ...this.scriptKeys,
      digest: digestOfSecret(secret),
      name: key.name,
      apiKey: JSON.stringify(key),
      keysMax: KEYS_MAX,
    });
    await this.refresh();
    return kind === "added" ? { kind, key, secret } : { kind };
  }

  /** Removes a key by its full name. Here it is refused at once, elsewhere within `API_KEYS_EVERY_MS`. */
  async revoke(name: string): Promise<boolean> {
    const isRemoved = await removeApiKey.run(this.redis, { ...this.scriptKeys, name });
    await this.refresh();
    return isRemoved;
  }

  /** Counts a request against a limit a minute, over all processes. @returns ms until the next minute when over. */
  async countRequest(name: string, perMinute: number): Promise<number | null> {
    const minute = Math.floor(now() / MINUTE_MS);
    const countOfMinute = this.keys.door(`rate:${minute}:${name}`);
    const count = await countRequest.run(this.redis, { countOfMinute });
    return count > perMinute ? (minute + 1) * MINUTE_MS - now() : null;
  }

  private get scriptKeys() {
    return {
      keysByDigest: this.keys.door("api-keys"),
      digestsByName: this.keys.door("api-keys:names"),
      version: this.keys.door("api-keys:version"),
    };
  }

  private requireFresh(): void {
    if (performance.now() - this.readMs <= STALE_MS_MAX) return;
    throw new StoreUnavailableError("reading the API keys", new Error("not read for too long"));
  }
}
