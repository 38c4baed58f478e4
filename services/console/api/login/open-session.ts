import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller, Session } from "../guards/caller.ts";
import { cookieOf, SESSION_COOKIE } from "../guards/caller.ts";
import { auditAction } from "../../audit/audit-changes.ts";
import type { Console } from "../../console.ts";

/** A person who has shown a link or a key, or comes from the provider of OpenID Connect. */
export type Visitor = Pick<Session, "name" | "role" | "key"> & Pick<Caller, "person">;

/** Opens a session, writes down whose, and gives the browser its cookie. @throws {RateLimitedError} */
export async function openSession(
  { logins, sessions, store, audit, bounds }: Console,
  { name, role, person, key }: Visitor,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<void> {
  // A login link is used up by its login.
  if (key !== null || person !== null) logins.take(name);
  const secret = await sessions.begin({ name, role, key, person: key === null ? person : null });
  const did = { by: name, action: "log_in", why: "", detail: { role } };
  await auditAction(store, did);
  // Log-ins of viewers are not recorded: they would crowd out the rest.
  if (role !== "viewer") await audit.write({ ...did, person });
  void reply.header("set-cookie", cookieOf(request, SESSION_COOKIE, secret, bounds.sessionLifeMs));
}
