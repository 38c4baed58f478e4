import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { timestamp } from "#shared/clock";
import { clientAddressOf } from "#shared/http";
import { readJson } from "#shared/json";
import { cookieIn, cookieOf } from "../guards/caller.ts";
import type { Console } from "../../console.ts";
import { openSession } from "./open-session.ts";
import { begunSchema, CALLBACK_PATH } from "./openid-provider.ts";
import type { BegunLogin, OpenIdProvider } from "./openid-provider.ts";

/** The address at which a login begins. */
const BEGIN_PATH = "/login/openid";
const LOGIN_COOKIE = { name: "suture_login", sameSite: "Lax" } as const;
/** For the time at the provider's own page, in ms. */
const LOGIN_MS = 600_000;
const PLACE_CHARS_MAX = 1000;

/** The reasons by which the login page says that a login came to nothing. */
type Refusal = "provider" | "role" | "late";

/** Sends people to the provider, and opens a session for those who come back with a role. For browsers alone. */
export function serveOpenId(app: FastifyInstance, console: Console): void {
  const { openId } = console;
  if (openId === null) return;
  app.get<{ Querystring: { back?: string } }>(
    BEGIN_PATH,
    { config: { scopes: null } },
    async (request, reply) => {
      const begun = await openId.begin(placeOf(request.query.back)).catch((error: unknown) => ({ error }));
      if ("error" in begun) return refuse(console, { request, reply }, { why: "provider", ...begun });
      void reply.header("set-cookie", loginCookie(request, begun.login));
      return reply.redirect(begun.url.href);
    },
  );
  app.get(CALLBACK_PATH, { config: { scopes: null } }, (request, reply) =>
    finish({ ...console, openId }, { request, reply }),
  );
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

async function finish(
  console: Console & { readonly openId: OpenIdProvider },
  exchange: Exchange,
): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const login = begunLoginOf(request);
  if (login === null) return refuse(console, exchange, { why: "late" });
  const { search } = new URL(request.url, "http://console");
  const known = await console.openId.finish(search, login).catch((error: unknown) => ({ error }));
  if ("error" in known) return refuse(console, exchange, { why: "provider", ...known });
  const { name, role } = known;
  if (role === null) {
    await noteWithoutRole(console, request, name);
    return refuse(console, exchange, { why: "role" });
  }
  await openSession(console, { name, role, person: name, key: null }, exchange);
  void reply.header("set-cookie", loginCookie(request, null));
  // The session's cookie does not come with this redirect, which another site began; the page's own requests bring it.
  return reply.redirect(login.back);
}

/** Leads to the login page, which says why. */
function refuse(
  { logger, countFailure }: Console,
  { request, reply }: Exchange,
  { why, error }: { readonly why: Refusal; readonly error?: unknown },
): FastifyReply {
  if (error !== undefined) logger.warn({ err: error }, "a login by OpenID Connect failed");
  countFailure(request);
  void reply.header("set-cookie", loginCookie(request, null));
  return reply.redirect(`/login?refused=${why}`);
}

/** The provider vouches for who that is, so that nobody else can fill the list. */
async function noteWithoutRole({ store }: Console, request: FastifyRequest, by: string): Promise<void> {
  await store.refusals.add({
    at: timestamp(),
    by,
    address: clientAddressOf(request.raw.socket.remoteAddress),
    method: request.method,
    route: CALLBACK_PATH,
    status: 403,
    code: "LOGIN_WITHOUT_ROLE",
    unrecorded: 0,
    service: "console",
  });
}

/** A place of the app's own; never another site. */
function placeOf(back: string | undefined): string {
  return back !== undefined && back.length <= PLACE_CHARS_MAX && /^\/(?![/\\])/.test(back) ? back : "/";
}

/** The `Set-Cookie` header of a login that has begun; null: of none. */
function loginCookie(request: FastifyRequest, login: BegunLogin | null): string {
  if (login === null) return cookieOf(request, LOGIN_COOKIE, "", 0);
  const value = Buffer.from(JSON.stringify(login)).toString("base64url");
  return cookieOf(request, LOGIN_COOKIE, value, LOGIN_MS);
}

function begunLoginOf(request: FastifyRequest): BegunLogin | null {
  const [value = ""] = cookieIn(request, LOGIN_COOKIE);
  return begunSchema.safeParse(readJson(Buffer.from(value, "base64url").toString())).data ?? null;
}
