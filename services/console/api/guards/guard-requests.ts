import type { FastifyRequest } from "fastify";
import { TENANT_DEFAULT } from "#shared/config";
import type { ApiScope } from "#shared/config";
import { SutureError } from "#shared/errors";
import { ForbiddenError, keepConnection, RateLimit, UnauthorisedError } from "#shared/http";
import type { AttemptedRequest } from "#shared/http";
import type { Console } from "../../console.ts";
import { CrossOriginError } from "../../errors.ts";
import { callerBy, cookieIn, ROLES, SESSION_COOKIE } from "./caller.ts";
import type { Caller } from "./caller.ts";

const callers = new WeakMap<AttemptedRequest, Caller>();

/** Returns the caller of a request; null on routes that are open. */
export function callerOf(request: AttemptedRequest): Caller | null {
  return callers.get(request) ?? null;
}

/** Returns what checks the caller, origin, role and rate of a request. @throws {ForbiddenError | CrossOriginError} */
export function createAdmission(console: Console) {
  const { rateBurst, ratePerSecond } = console.bounds;
  const rate = new RateLimit({ burst: rateBurst, perSecond: ratePerSecond });
  return async (request: FastifyRequest, scopes: readonly ApiScope[] | null): Promise<void> => {
    if (scopes === null) return checkOrigin(request, false);
    const caller = identify(console, request);
    keepConnection(request.raw.socket, { name: caller.name, tenant: TENANT_DEFAULT });
    checkOrigin(request, caller.session !== null);
    if (!scopes.includes(caller.role)) throw new ForbiddenError(caller.role, scopes, caller.name);
    rate.take(caller.name);
    callers.set(request, caller);
  };
}

/** Returns true while the caller of a request may still send it: a key may be revoked while an answer is on its way. */
export function mayStill(console: Console, request: FastifyRequest): boolean {
  const { scopes = [] } = request.routeOptions.config;
  try {
    return scopes === null || scopes.includes(identify(console, request).role);
  } catch (error) {
    if (error instanceof SutureError) return false;
    throw error;
  }
}

/** A key counts before a session: who shows one means it. @throws {UnauthorisedError | ForbiddenError} */
function identify(console: Console, request: FastifyRequest): Caller {
  const { config, apiKeys, countFailure } = console;
  if (request.headers.authorization !== undefined) {
    const key = apiKeys.authoriseRequest(request, ROLES, countFailure);
    const caller = callerBy(key, config, null);
    if (caller === null) throw new ForbiddenError(key.scope, ["operator", "admin"], key.name);
    return caller;
  }
  for (const secret of cookieIn(request, SESSION_COOKIE)) {
    const caller = findCaller(console, secret);
    if (caller !== null) return caller;
  }
  throw new UnauthorisedError("Log in with the link that the launcher printed, or send an API key.");
}

/** The caller behind a session, with what its key may do now; null if it ended. @throws {KeyExpiredError} */
function findCaller({ sessions, apiKeys, config }: Console, secret: string): Caller | null {
  const session = sessions.find(secret);
  if (session === null) return null;
  const { name, role, person, key: opened } = session;
  if (opened === null) return { name, role, person, teams: null, session: secret };
  const key = apiKeys.withDigest(opened.digest);
  // The same one still: a name can be given to another.
  return key?.name === opened.name ? callerBy(key, config, secret) : null;
}

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * Lets changes through only from the console's own page, or from a keyed client that is no browser.
 * @param isBySession - The browser adds the session by itself, so its request must name its origin.
 * @throws {CrossOriginError}
 */
function checkOrigin(request: FastifyRequest, isBySession: boolean): void {
  if (SAFE_METHODS.has(request.method)) return;
  const { origin, host } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") throw new CrossOriginError();
  if (origin === undefined && !isBySession) return;
  // A proxy in front may have taken the TLS away, so that schemes may differ where hosts may not.
  const own = ["http", "https"].map((scheme) => `${scheme}://${host}`.toLowerCase());
  if (host === undefined || !own.includes(origin?.toLowerCase() ?? "")) throw new CrossOriginError();
}
