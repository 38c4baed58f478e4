import type { FastifyInstance, RouteOptions } from "fastify";
import { timingSafeEqual } from "node:crypto";
import { now } from "#shared/clock";
import { digestOfSecret, TENANT_DEFAULT } from "#shared/config";
import type { ApiKey, ApiScope, KeyHolder } from "#shared/config";
import { ForbiddenError, KeyExpiredError, RouteUnguardedError, UnauthorisedError } from "./errors.ts";
import type { CountFailure } from "./rate-limit.ts";
import type { AttemptedRequest } from "./record-refusals.ts";

const BEARER = /^Bearer +([\x21-\x7e]{1,1024})$/i;

/** Keys that come and go while the service runs. */
interface ChangingKeys {
  /** The key whose secret has this digest, in the same time whether there is one or not. */
  withDigest(digest: string): (KeyHolder & { readonly expires_ms: number | null }) | null;
  list(): readonly KeyHolder[];
}

const NO_KEYS: ChangingKeys = { withDigest: () => null, list: () => [] };

/** Returns the digest by which the key of an `Authorization` header is found; null for a header without one. */
export function digestOfKey(header: string | undefined): string | null {
  const presented = BEARER.exec(header ?? "")?.[1];
  return presented === undefined ? null : digestOfSecret(presented);
}

/** The API keys of one service. Secrets are kept as digests and compared in constant time. */
export class ApiKeys {
  private readonly keys: readonly { readonly digest: Buffer; readonly key: ApiKey }[];
  private readonly changing: ChangingKeys;

  /** @param keys - As configured. @param changing - Those made later. Default: none. */
  constructor(keys: readonly ApiKey[], changing: ChangingKeys = NO_KEYS) {
    this.keys = keys.map((key) => ({ digest: Buffer.from(digestOfSecret(key.secret.reveal())), key }));
    this.changing = changing;
  }

  /**
   * Finds and judges the key in an `Authorization` header. @param scopes - Those that may pass.
   * @throws {UnauthorisedError} No key of ours. {KeyExpiredError} One that was. {ForbiddenError} Of another scope.
   */
  authorise(header: string | undefined, scopes: readonly ApiScope[]): KeyHolder {
    const digest = digestOfKey(header);
    const key = digest === null ? null : this.withDigest(digest);
    if (key === null) throw new UnauthorisedError();
    if (!scopes.includes(key.scope)) throw new ForbiddenError(key.scope, scopes, key.name);
    return key;
  }

  /** As `authorise`, for a request; a wrong key counts as a failure of its client's address. */
  authoriseRequest(
    request: AttemptedRequest,
    scopes: readonly ApiScope[],
    countFailure: CountFailure,
  ): KeyHolder {
    const { authorization } = request.headers;
    try {
      return this.authorise(authorization, scopes);
    } catch (error) {
      if (error instanceof UnauthorisedError && authorization !== undefined) countFailure(request);
      throw error;
    }
  }

  /** The key with this secret, or null. @throws {KeyExpiredError} */
  find(secret: string): KeyHolder | null {
    return this.withDigest(digestOfSecret(secret));
  }

  /** The key whose secret has this digest, or null, in constant time over all keys. @throws {KeyExpiredError} */
  withDigest(hex: string): KeyHolder | null {
    const digest = Buffer.from(hex);
    let found: KeyHolder | null = null;
    for (const candidate of this.keys) {
      if (candidate.digest.length === digest.length && timingSafeEqual(candidate.digest, digest))
        found = candidate.key;
    }
    const changing = this.changing.withDigest(hex);
    if (found !== null || changing === null) return found;
    if (isOver(changing)) throw new KeyExpiredError();
    return { ...changing, isMade: true };
  }

  /** True where any key belongs to another tenant than the default one. */
  get isShared(): boolean {
    const isOther = ({ tenant }: KeyHolder): boolean => tenant !== TENANT_DEFAULT;
    return this.keys.some(({ key }) => isOther(key)) || this.changing.list().some(isOther);
  }

  /** Returns true where a key of this name is configured: then none can be made. */
  isConfigured(name: string): boolean {
    return this.keys.some(({ key }) => key.name === name);
  }
}

function isOver({ expires_ms }: { readonly expires_ms: number | null }): boolean {
  return expires_ms !== null && expires_ms <= now();
}

/**
 * Makes a server fail at start when a route does not declare who may call it. Call it before the first route is added.
 * @param isDeclared - Whether a route says who may call it; "anyone" counts, if it is written down.
 * @throws {RouteUnguardedError} From `app.ready()` and `app.listen()`; names every such route.
 */
export function requireGuards(app: FastifyInstance, isDeclared: (route: RouteOptions) => boolean): void {
  const routes: RouteOptions[] = [];
  app.addHook("onRoute", (route) => {
    routes.push(route);
  });
  // A scope may declare the guard of all its routes in a hook of its own, which runs after this one.
  app.addHook("onReady", async () => {
    const open = routes.filter((route) => !isDeclared(route));
    if (open.length > 0)
      throw new RouteUnguardedError(open.map(({ method, url }) => `${String(method)} ${url}`));
  });
}
