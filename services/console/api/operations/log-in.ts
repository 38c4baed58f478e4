import { digestOfSecret } from "#shared/config";
import type { Console } from "../../console.ts";
import { LoginRefusedError } from "../../errors.ts";
import { auditAction } from "../guards/audit-action.ts";
import { LOCAL_NAME, personOf } from "../guards/person-of.ts";
import { roleOf } from "../guards/role.ts";
import type { Session } from "../guards/session-store.ts";
import { sessionCookie } from "../guards/session-cookie.ts";
import { takeLoginToken } from "../guards/take-login-token.ts";
import type { Handler } from "../operation.ts";

/** Opens a session for a login link's token, or for an API key. */
export const logIn: Handler<"logIn"> = async ({ console, body, request, reply }) => {
  const who = "token" in body ? await byLink(console, body.token) : byKey(console, body.api_key);
  if (who === null) {
    console.failures.count(request);
    throw new LoginRefusedError();
  }
  // A login link is used up by its login.
  if (who.key !== null) console.logins.take(who.key.name);
  const { person, ...session } = who;
  const { sessions, bounds, store, audit } = console;
  const cookie = sessionCookie(request, {
    secret: await sessions.begin(session),
    lifeMs: bounds.sessionLifeMs,
  });
  const did = { by: who.name, action: "log_in", why: "", detail: { role: who.role } };
  await auditAction(store, did);
  // A console without a key lets people look; and who may only look writes nothing down, however often they come.
  if (audit.canSign && who.role !== "viewer") await audit.write({ ...did, person });
  void reply.header("set-cookie", cookie);
  return { name: who.name, role: who.role, is_rehearsal: console.isRehearsal };
};

/** Who has shown a link or a key. */
type Visitor = Pick<Session, "name" | "role" | "key"> & { readonly person: string | null };

async function byLink(console: Console, token: string): Promise<Visitor | null> {
  const isTaken = await takeLoginToken(token, {
    file: console.loginFile,
    lifeMs: console.bounds.loginLifeMs,
  });
  return isTaken ? { name: LOCAL_NAME, role: "admin", key: null, person: null } : null;
}

function byKey(console: Console, presented: string): Visitor | null {
  const key = console.apiKeys.find(presented);
  const role = key === null ? null : roleOf(key);
  return key === null || role === null
    ? null
    : {
        name: key.name,
        role,
        key: { name: key.name, digest: digestOfSecret(presented) },
        person: personOf(key, console.people),
      };
}
