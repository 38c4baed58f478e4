import { randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { now } from "#shared/clock";
import { digestOfSecret, TENANT_DEFAULT } from "#shared/config";
import type { Config, KeyHolder } from "#shared/config";
import { ForbiddenError } from "#shared/http";
import { readJson } from "#shared/json";

/** `viewer` looks; `operator` also acts on cases and queues; `admin` also judges recipes. */
export const ROLES = ["viewer", "operator", "admin"] as const;

export type Role = (typeof ROLES)[number];

/** The sender of a request, as the audit names them. */
export interface Caller {
  readonly name: string;
  readonly role: Role;
  /** The person, whatever key they use; null where nobody can say, as behind a login link. */
  readonly person: string | null;
  /** Names of the teams that the key is limited to; null: all. */
  readonly teams: readonly string[] | null;
  /** The session's secret where there is one; null for an API key. */
  readonly session: string | null;
}

/** The name of the API key that a launcher makes for its own machine, and of whoever comes with its login link. */
export const LOCAL_NAME = "local";

/**
 * The caller behind an API key, with what it may do now. @param config.people - Persons by the names of their keys, so
 * that two keys of one person count as one. The machine's key is nobody's, and so is one of an admin's making that the
 * configuration gives to nobody.
 * @returns null for keys that see only their own: `submit`, and `viewer` of another tenant.
 */
export function callerBy(
  { name, scope, tenant, teams, isMade }: KeyHolder,
  { people }: Pick<Config, "people">,
  session: string | null,
): Caller | null {
  const role = ROLES.find((one) => one === scope);
  if (role === undefined || (role === "viewer" && tenant !== TENANT_DEFAULT)) return null;
  const person = name === LOCAL_NAME ? null : (people.get(name) ?? (isMade === true ? null : name));
  return { name, role, person, teams, session };
}

/** The refusal of what belongs to all teams. */
export function forAllTeams({ role, name }: Caller): ForbiddenError {
  return new ForbiddenError(role, [`${role} that is not limited to teams`], name);
}

const sessionSchema = z.object({
  /** SHA-256 of the secret in the cookie, in hex. */
  digest: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  /** The API key it was opened with, by the digest of its secret; null for a login link or OpenID Connect. */
  key: z.strictObject({ name: z.string(), digest: z.string() }).nullable(),
  /** The person for whom a provider of OpenID Connect vouches. */
  person: z.string().nullable().default(null),
  expires_ms: z.number(),
});

export type Session = z.output<typeof sessionSchema>;

const SECRET_BYTES = 32;

/** Sessions, kept in a file over restarts; the file holds digests, no secrets. */
export class SessionStore {
  private readonly options: { readonly file: string; readonly lifeMs: number; readonly sessionsMax: number };
  private readonly byDigest: Map<string, Session>;
  private saving: Promise<void> = Promise.resolve();

  private constructor(options: SessionStore["options"], sessions: readonly Session[]) {
    this.options = options;
    this.byDigest = new Map(sessions.map((session) => [session.digest, session]));
  }

  /** Without a readable file there are no sessions: people log in again. */
  static async open(options: SessionStore["options"]): Promise<SessionStore> {
    const text = await readFile(options.file, "utf8").catch(() => "");
    return new SessionStore(options, z.array(sessionSchema).safeParse(readJson(text)).data ?? []);
  }

  /** @returns the secret for the cookie. */
  async begin(who: Pick<Session, "name" | "role" | "key" | "person">): Promise<string> {
    const secret = randomBytes(SECRET_BYTES).toString("base64url");
    const digest = digestOfSecret(secret);
    this.byDigest.set(digest, { ...who, digest, expires_ms: now() + this.options.lifeMs });
    this.forgetOld();
    await this.save();
    return secret;
  }

  find(secret: string): Session | null {
    const session = this.byDigest.get(digestOfSecret(secret));
    return session !== undefined && session.expires_ms > now() ? session : null;
  }

  async end(secret: string): Promise<void> {
    if (this.byDigest.delete(digestOfSecret(secret))) await this.save();
  }

  /** Of too many sessions the oldest of whoever has most goes: nobody else loses one by their logins. */
  private forgetOld(): void {
    for (const [digest, session] of this.byDigest)
      if (session.expires_ms <= now()) this.byDigest.delete(digest);
    while (this.byDigest.size > this.options.sessionsMax) {
      const byOwner = Map.groupBy(this.byDigest.values(), ({ key, name }) => key?.digest ?? name);
      const [most] = [...byOwner.values()].toSorted((a, b) => b.length - a.length);
      this.byDigest.delete(most?.[0]?.digest ?? "");
    }
  }

  /** Writes the file in one step, one write after another: they share the name that it has until it is whole. */
  private save(): Promise<void> {
    const { file } = this.options;
    const saved = this.saving.then(async () => {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(`${file}.new`, JSON.stringify([...this.byDigest.values()]), { mode: 0o600 });
      await rename(`${file}.new`, file);
    });
    // A failure is told to the one who asked; the next write does not fail for it.
    this.saving = saved.catch(() => undefined);
    return saved;
  }
}

/** Tells TLS in front by a proxy's header. That only adds a restriction, so that a lie in it does no harm. */
function isTls({ headers }: FastifyRequest): boolean {
  return headers["x-forwarded-proto"] === "https";
}

/** A cookie that scripts cannot read. `Lax`: it comes along when another site leads here. */
interface Cookie {
  readonly name: string;
  readonly sameSite: "Lax" | "Strict";
}

export const SESSION_COOKIE: Cookie = { name: "suture_session", sameSite: "Strict" };

/**
 * Returns a cookie's name. Behind TLS browsers take one with this prefix from this host alone and over TLS, so that no
 * neighbour on another port or subdomain can plant one; over plain HTTP they would not keep it.
 */
function nameOf(request: FastifyRequest, { name }: Cookie): string {
  return isTls(request) ? `__Host-${name}` : name;
}

/** Returns the values of a request's cookies of one name. */
export function cookieIn(request: FastifyRequest, wanted: Cookie): string[] {
  const begin = `${nameOf(request, wanted)}=`;
  const cookies = (request.headers.cookie ?? "").split(";").map((cookie) => cookie.trim());
  return cookies.filter((one) => one.startsWith(begin)).map((one) => one.slice(begin.length));
}

/** Returns the `Set-Cookie` header of a cookie; with a life of 0, the one that ends it. */
export function cookieOf(request: FastifyRequest, cookie: Cookie, value: string, lifeMs: number): string {
  const flags = `HttpOnly; SameSite=${cookie.sameSite}${isTls(request) ? "; Secure" : ""}`;
  return `${nameOf(request, cookie)}=${value}; Path=/; Max-Age=${Math.floor(lifeMs / 1000)}; ${flags}`;
}
