import { timingSafeEqual } from "node:crypto";
import { readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { uuidv7, wallNow } from "#shared/clock";
import { digestOfSecret } from "#shared/config";
import type { Console, Handler } from "../../console.ts";
import { LoginRefusedError } from "../../errors.ts";
import { openSession } from "../login/open-session.ts";
import type { Visitor } from "../login/open-session.ts";
import { callerBy, cookieOf, LOCAL_NAME, SESSION_COOKIE } from "../guards/caller.ts";

/** Opens a session for a login link's token, or for an API key. */
export const logIn: Handler<"logIn"> = async ({ console, body, request, reply }) => {
  const who = "token" in body ? await byLink(console, body.token) : byKey(console, body.api_key);
  if (who === null) {
    console.countFailure(request);
    throw new LoginRefusedError();
  }
  await openSession(console, who, { request, reply });
  return { name: who.name, role: who.role, is_rehearsal: console.config.isRehearsal };
};

/** Tells the logins that there are beside keys and links. */
export const showLogin: Handler<"showLogin"> = async ({ console: { openId } }) => ({
  openid: openId === null ? null : { host: openId.host },
});

const TOKEN = /^[A-Za-z0-9_-]{32,200}$/;

/** Uses up a login link's token, if it is the one and young enough: renaming its file lets one of two in. */
async function byLink({ config, bounds }: Console, presented: string): Promise<Visitor | null> {
  // The launcher writes it there.
  const loginFile = join(config.dataDir, "keys", "console-login");
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(loginFile, "utf8"), stat(loginFile)]);
    const token = text.trim();
    const isOld = wallNow() - mtimeMs > bounds.loginLifeMs;
    const isSame = timingSafeEqual(
      Buffer.from(digestOfSecret(presented)),
      Buffer.from(digestOfSecret(token)),
    );
    if (isOld || !TOKEN.test(token) || !isSame) return null;
    const used = `${loginFile}.${uuidv7()}`;
    await rename(loginFile, used);
    await rm(used, { force: true });
    return { name: LOCAL_NAME, role: "admin", key: null, person: null };
  } catch {
    // There is none, or another login was quicker.
    return null;
  }
}

function byKey({ apiKeys, config }: Console, secret: string): Visitor | null {
  const key = apiKeys.find(secret);
  const caller = key && callerBy(key, config, null);
  return caller && { ...caller, key: { name: caller.name, digest: digestOfSecret(secret) } };
}

/** Names the caller and their role. */
export const showSession: Handler<"showSession"> = async ({ console, caller }) => ({
  name: caller.name,
  role: caller.role,
  is_rehearsal: console.config.isRehearsal,
  trace_url: console.config.traceUrl,
});

/** Ends the session it comes with; the cookie is worth nothing from then on. */
export const logOut: Handler<"logOut"> = async ({ console, caller, request, reply }) => {
  if (caller.session !== null) await console.sessions.end(caller.session);
  void reply.header("set-cookie", cookieOf(request, SESSION_COOKIE, "", 0));
  return reply.send();
};
