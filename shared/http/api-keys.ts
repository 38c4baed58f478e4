import { createHash, timingSafeEqual } from "node:crypto";
import type { ApiKey, ApiScope } from "#shared/config";
import { ForbiddenError, UnauthorisedError } from "./errors.ts";

const BEARER = /^Bearer +([\x21-\x7e]{1,1024})$/i;

/** The API keys of one service. Secrets are kept as digests and compared in constant time. */
export class ApiKeys {
  private readonly keys: readonly { readonly digest: Buffer; readonly key: ApiKey }[];

  constructor(keys: readonly ApiKey[]) {
    this.keys = keys.map((key) => ({ digest: digestOf(key.secret.reveal()), key }));
  }

  /**
   * Finds and judges the key of a request.
   *
   * @param header - The `Authorization` header.
   * @param scopes - Those that may pass.
   * @throws {UnauthorisedError} No key of ours. {ForbiddenError} One of ours, of another scope.
   */
  authorise(header: string | undefined, scopes: readonly ApiScope[]): ApiKey {
    const presented = BEARER.exec(header ?? "")?.[1];
    const key = presented === undefined ? null : this.find(presented);
    if (key === null) throw new UnauthorisedError();
    if (!scopes.includes(key.scope)) throw new ForbiddenError(key.scope, scopes, key.name);
    return key;
  }

  /** The key with this secret, or null. Looks at every key, found or not, so that the time tells nothing. */
  find(secret: string): ApiKey | null {
    const digest = digestOf(secret);
    let found: ApiKey | null = null;
    for (const candidate of this.keys) {
      if (timingSafeEqual(candidate.digest, digest)) found = candidate.key;
    }
    return found;
  }

  /** The key of this name, or null where it is no longer configured. */
  named(name: string): ApiKey | null {
    return this.keys.find(({ key }) => key.name === name)?.key ?? null;
  }
}

function digestOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
