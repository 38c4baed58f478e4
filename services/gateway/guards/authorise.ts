import { createHash, timingSafeEqual } from "node:crypto";
import type { ApiKey, ApiScope } from "#shared/config";
import { ForbiddenError, UnauthorisedError } from "../errors.ts";

const BEARER = /^Bearer +([\x21-\x7e]{1,1024})$/i;

/** Finds and judges the API key of a request. Secrets are kept as digests and compared in constant time. */
export class Authoriser {
  private readonly keys: readonly { readonly digest: Buffer; readonly key: ApiKey }[];

  constructor(keys: readonly ApiKey[]) {
    this.keys = keys.map((key) => ({ digest: digestOf(key.secret.reveal()), key }));
  }

  /**
   * @param header - The `Authorization` header.
   * @param scopes - Those that may pass.
   * @throws {UnauthorisedError} No key of ours. {ForbiddenError} One of ours, of another scope.
   */
  authorise(header: string | undefined, scopes: readonly ApiScope[]): ApiKey {
    const presented = BEARER.exec(header ?? "")?.[1];
    if (presented === undefined) throw new UnauthorisedError();
    const key = this.find(digestOf(presented));
    if (key === null) throw new UnauthorisedError();
    if (!scopes.includes(key.scope)) throw new ForbiddenError(key.scope, scopes);
    return key;
  }

  /** Looks at every key, found or not, so that the time tells nothing. */
  private find(digest: Buffer): ApiKey | null {
    let found: ApiKey | null = null;
    for (const candidate of this.keys) {
      if (timingSafeEqual(candidate.digest, digest)) found = candidate.key;
    }
    return found;
  }
}

function digestOf(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
