import { z } from "zod";
import { Secret } from "./secret.ts";

/** What a key may do: `viewer` reads, `submit` starts runs, `operator` also acts on cases, `admin` does everything. */
export const API_SCOPES = ["viewer", "submit", "operator", "admin"] as const;

export type ApiScope = (typeof API_SCOPES)[number];

export interface ApiKey {
  /** Who uses the key, as audit records name it. Unique, whatever the case of its letters. */
  readonly name: string;
  readonly scope: ApiScope;
  readonly secret: Secret;
}

/** Shorter secrets can be guessed. Characters. */
export const API_SECRET_LENGTH_MIN = 16;

const apiKeyParts = z.object({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/, "has a name that is not 1 to 64 letters, digits or ._@-"),
  scope: z.enum(API_SCOPES, `has a scope other than ${API_SCOPES.join(", ")}`),
  secret: z
    .string()
    .min(API_SECRET_LENGTH_MIN, `has a secret shorter than ${API_SECRET_LENGTH_MIN} characters`)
    .regex(/^[\x21-\x7e]+$/, "has a secret with other than printable ASCII characters"),
});

/**
 * Reads `name:scope:secret` entries, separated by commas or line breaks. A secret may hold colons, not commas. In a
 * file, lines that start with `#` are comments.
 *
 * @returns The keys, or the first problem in words that hold no secret.
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
    const [name, scope, ...rest] = entry.split(":");
    if (rest.length === 0) return { problem: `${place} is not of the form name:scope:secret` };
    const parsed = apiKeyParts.safeParse({ name, scope, secret: rest.join(":") });
    if (!parsed.success) return { problem: `${place} ${parsed.error.issues[0]?.message ?? "is not valid"}` };
    // One person must not count as two by a capital letter.
    const person = parsed.data.name.toLowerCase();
    if (names.has(person)) return { problem: `${place} has a name that an earlier key has` };
    names.add(person);
    keys.push({ name: parsed.data.name, scope: parsed.data.scope, secret: new Secret(parsed.data.secret) });
  }
  return { keys };
}
