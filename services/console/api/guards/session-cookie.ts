import type { FastifyRequest } from "fastify";

const NAME = "suture_session";
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** The session's secret in a request's cookies; null where there is none of the right form. */
export function sessionSecretOf(request: FastifyRequest): string | null {
  for (const part of (request.headers.cookie ?? "").split(";")) {
    const [name, value] = part.trim().split("=", 2);
    if (name === NAME && SECRET.test(value ?? "")) return value ?? null;
  }
  return null;
}

/**
 * The `Set-Cookie` header for a session; with an empty secret, the one that ends it. No page of another site can send
 * it, and no script can read it.
 */
export function sessionCookie(request: FastifyRequest, session: { secret: string; lifeMs: number }): string {
  // Only adds a restriction, so that it does no harm where the header is a lie.
  const isTls = request.headers["x-forwarded-proto"] === "https";
  const life = session.secret === "" ? 0 : Math.floor(session.lifeMs / 1000);
  const flags = `Path=/; Max-Age=${life}; HttpOnly; SameSite=Strict${isTls ? "; Secure" : ""}`;
  return `${NAME}=${session.secret}; ${flags}`;
}
