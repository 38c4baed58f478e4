import type { FastifyRequest } from "fastify";

const SECRET = /^[A-Za-z0-9_-]{43}$/;

/**
 * Name of the cookie. Behind TLS browsers take one with this prefix from this host alone and over TLS, so that no
 * neighbour on another port or subdomain can plant one; over plain HTTP they would not keep it.
 */
function nameOf(request: FastifyRequest): string {
  return isTls(request) ? "__Host-suture_session" : "suture_session";
}

function isTls(request: FastifyRequest): boolean {
  // Only adds a restriction, so that it does no harm where the header is a lie.
  return request.headers["x-forwarded-proto"] === "https";
}

/** The session's secret in a request's cookies; null where there is none of the right form. */
export function sessionSecretOf(request: FastifyRequest): string | null {
  for (const part of (request.headers.cookie ?? "").split(";")) {
    const [name, value] = part.trim().split("=", 2);
    if (name === nameOf(request) && SECRET.test(value ?? "")) return value ?? null;
  }
  return null;
}

/**
 * The `Set-Cookie` header for a session; with an empty secret, the one that ends it. No page of another site can send
 * it, and no script can read it.
 */
export function sessionCookie(request: FastifyRequest, session: { secret: string; lifeMs: number }): string {
  const life = session.secret === "" ? 0 : Math.floor(session.lifeMs / 1000);
  const flags = `Path=/; Max-Age=${life}; HttpOnly; SameSite=Strict${isTls(request) ? "; Secure" : ""}`;
  return `${nameOf(request)}=${session.secret}; ${flags}`;
}
