import { createHash } from "node:crypto";
import { z } from "zod";
import { Secret } from "./secret.ts";

/** The tenant of keys that name none, and of everything without an owner. */
export const TENANT_DEFAULT = "local";

/** Lower case, so that no file system takes two of them for one. */
export const TENANT = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** A user's id as it travels: `tenant/id` but for the default tenant. @param userId - Null: users without an id. */
export function ownedUser(tenant: string, userId: string | null): string | null {
  if (tenant !== TENANT_DEFAULT) return `${tenant}/${userId ?? ""}`;
  return userId?.includes("/") === true ? `${TENANT_DEFAULT}/${userId}` : userId;
}

/** The tenant of a user's id that `ownedUser` has made. */
export function tenantOfUser(userId: string | null): string {
  const [tenant = "", ...rest] = userId?.split("/") ?? [];
  return rest.length > 0 && TENANT.test(tenant) ? tenant : TENANT_DEFAULT;
}

const COUNT_MAX = 100_000_000;

const count = z.int().min(1).max(COUNT_MAX).exactOptional();

/** Limits of one key. Absent: it has no limit of its own. */
export const quotasSchema = z
  .strictObject({
    requests_per_minute: count.meta({ description: "Over all gateways, by the minute of the clock." }),
    running_runs: count.meta({ description: "Runs that have not ended, waiting ones included." }),
    waiting_runs: count.meta({ description: "Runs that no agent has begun." }),
    cost_per_day: z
      .number()
      .min(0.000001)
      .max(COUNT_MAX)
      .exactOptional()
      .meta({ description: "USD, by the day of UTC; runs under way go on when it is reached." }),
  })
  .meta({ description: "Absent: no limit of its own." });

type Quotas = Readonly<z.output<typeof quotasSchema>>;

/** `viewer` reads, `submit` starts runs, of their tenant; `operator` acts on cases, `admin` does everything, of all. */
export const API_SCOPES = ["viewer", "submit", "operator", "admin"] as const;

export type ApiScope = (typeof API_SCOPES)[number];

/** The holder of an API key, by whom gateway and console authorise a request. */
export interface KeyHolder {
  /** The key's user, as audits name it: `name`, or `tenant/name` outside the default one. Unique, case ignored. */
  readonly name: string;
  /** Owns what the key makes. */
  readonly tenant: string;
  readonly scope: ApiScope;
  /** Names of the teams it may use and see; null: all. */
  readonly teams: readonly string[] | null;
  readonly quotas: Quotas;
  /** Somebody made it while the cluster ran. Absent: it is configured. */
  readonly isMade?: true;
}

/** A key as it is configured. */
export interface ApiKey extends KeyHolder {
  readonly secret: Secret;
}

/** Shorter secrets can be guessed. Characters. */
const API_SECRET_LENGTH_MIN = 16;

/** A key's own name, without its tenant. */
const KEY_NAME = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;

const apiKeyParts = z.object({
  tenant: z
    .string()
    .regex(TENANT, "has a tenant that is not 1 to 63 lower-case letters, digits or ._- (as in tenant/name)"),
  name: z.string().regex(KEY_NAME, "has a name that is not 1 to 64 letters, digits or ._@-"),
  scope: z.enum(API_SCOPES, `has a scope other than ${API_SCOPES.join(", ")}`),
  secret: z
    .string()
    .min(API_SECRET_LENGTH_MIN, `has a secret shorter than ${API_SECRET_LENGTH_MIN} characters`)
    .regex(/^[\x21-\x7e]+$/, "has a secret with other than printable ASCII characters"),
});

/** SHA-256 of a secret, in hex: by it a key is known where its secret must not lie. */
export function digestOfSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** A key's full name. */
export function keyNameOf(tenant: string, name: string): string {
  return tenant === TENANT_DEFAULT ? name : `${tenant}/${name}`;
}

/**
 * Reads `name:scope:secret` or `tenant/name:scope:secret` entries between commas or line breaks; `#` begins a comment.
 * A secret holds no comma. @returns The keys, or the first problem in words that hold no secret.
 */
export function parseApiKeys(
  text: string,
): { readonly keys: readonly ApiKey[] } | { readonly problem: string } {
  const entries = text
    .split(/\r?\n/)
    .filter((line) => !line.trimStart().startsWith("#"))
    .flatMap((line) => line.split(","))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  if (entries.length === 0) return { problem: "holds no key" };

  const keys: ApiKey[] = [];
  const names = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const place = `key ${index + 1} of ${entries.length}`;
    const [who = "", scope, ...rest] = entry.split(":");
    if (rest.length === 0) return { problem: `${place} is not of the form name:scope:secret` };
    const parsed = apiKeyParts.safeParse({ ...readName(who), scope, secret: rest.join(":") });
    if (!parsed.success) return { problem: `${place} ${parsed.error.issues[0]?.message ?? "is not valid"}` };
    const { tenant, secret, ...own } = parsed.data;
    const name = keyNameOf(tenant, own.name);
    // One person must not count as two by a capital character.
    const person = name.toLowerCase();
    if (names.has(person)) return { problem: `${place} has a name that an earlier key has` };
    names.add(person);
    keys.push({ name, tenant, scope: own.scope, teams: null, quotas: {}, secret: new Secret(secret) });
  }
  return { keys };
}

function readName(who: string): { readonly tenant: string; readonly name: string } {
  const slash = who.indexOf("/");
  return slash === -1
    ? { tenant: TENANT_DEFAULT, name: who }
    : { tenant: who.slice(0, slash), name: who.slice(slash + 1) };
}

const TEAMS_MAX = 100;

/** The request for a new API key. */
export const newApiKeySchema = z.strictObject({
  name: z.string().regex(KEY_NAME).meta({ description: "Unique in its tenant." }),
  tenant: z.string().regex(TENANT).default(TENANT_DEFAULT).meta({ description: "Owns what the key makes." }),
  scope: z.enum(API_SCOPES),
  teams: z
    .array(z.string().min(1).max(128))
    .min(1)
    .max(TEAMS_MAX)
    .nullable()
    .default(null)
    .meta({ description: "The teams it may use and see; null: all." }),
  quotas: quotasSchema.default({}),
  expires_at: z.iso.datetime().nullable().default(null).meta({ description: "UTC; null: never." }),
});

export type NewApiKey = z.output<typeof newApiKeySchema>;
