import { createHash, timingSafeEqual } from "node:crypto";
import { readFile, rename, rm, stat } from "node:fs/promises";
import { uuidv7, wallNow } from "#shared/clock";
import { digestOfSecret } from "#shared/config";
import { auditAction } from "../../audit/audit-changes.ts";
import type { Console, Handler } from "../../console.ts";
import { LoginRefusedError } from "../../errors.ts";
import { LOCAL_NAME, personOf, roleOf } from "../guards/caller.ts";
import { sessionCookie } from "../guards/sessions.ts";
import type { Session } from "../guards/sessions.ts";

/** Opens a session for a login link's token, or for an API key. */
export const logIn: Handler<"logIn"> = async ({ console, body, request, reply }) => {
  const who = "token" in body ? await byLink(console, body.token) : byKey(console, body.api_key);
  if (who === null) {
    console.countFailure(request);
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
  // Log-ins of viewers are not recorded: they would crowd out the rest.
  if (who.role !== "viewer") await audit.write({ ...did, person });
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

/** Who is asking, and what they may do. */
export const showSession: Handler<"showSession"> = async ({ console, caller }) => ({
  name: caller.name,
  role: caller.role,
  is_rehearsal: console.isRehearsal,
});

/** Ends the session it comes with; the cookie is worth nothing from then on. */
export const logOut: Handler<"logOut"> = async ({ console, caller, request, reply }) => {
  if (caller.session !== null) await console.sessions.end(caller.session);
  void reply.header("set-cookie", sessionCookie(request, { secret: "", lifeMs: 0 }));
  return reply.send();
};

const TOKEN = /^[A-Za-z0-9_-]{32,200}$/;

/**
 * Uses up a login link's token: renaming its file lets one of two in. @param lifeMs - Older files count for nothing.
 * @returns whether `presented` was the token, young enough and unused.
 */
async function takeLoginToken(
  presented: string,
  login: { readonly file: string; readonly lifeMs: number },
): Promise<boolean> {
  const expected = await readToken(login);
  if (expected === null || !isSame(presented, expected)) return false;
  const used = `${login.file}.${uuidv7()}`;
  try {
    await rename(login.file, used);
  } catch {
    return false;
  }
  await rm(used, { force: true });
  return true;
}

async function readToken(login: { readonly file: string; readonly lifeMs: number }): Promise<string | null> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(login.file, "utf8"), stat(login.file)]);
    const token = text.trim();
    return TOKEN.test(token) && wallNow() - mtimeMs <= login.lifeMs ? token : null;
  } catch {
    return null;
  }
}

function isSame(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
