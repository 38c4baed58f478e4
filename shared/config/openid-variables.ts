import { z } from "zod";
import { optionalHttpUrl, optionalText, secret, text } from "./variable.ts";
import type { Variable } from "./variable.ts";

/** A role of the console, and the value of the claim that gives it; `*` is anyone whom the provider lets in. */
export interface OpenIdRole {
  readonly role: "viewer" | "operator" | "admin";
  readonly value: string;
}

const roles: Variable<readonly OpenIdRole[]> = {
  schema: z
    .string()
    .regex(
      /^(?:viewer|operator|admin)=[^=,]{1,200}(?:,(?:viewer|operator|admin)=[^=,]{1,200}){0,99}$/,
      "must be role=value, several with commas between them; roles are viewer, operator, admin",
    )
    .transform((pairs) =>
      pairs.split(",").map((pair) => {
        const [role, value = ""] = pair.split("=");
        // The pattern lets through no other word.
        return { role: role as OpenIdRole["role"], value: value.trim() };
      }),
    )
    .optional()
    .transform((known): readonly OpenIdRole[] => known ?? []),
  example: "admin=platform,operator=on-call,viewer=*",
};

/** Settings of logins to the console by OpenID Connect. */
export const OPENID_VARIABLES = {
  /** Address by which browsers reach the console. Needed for logins by OpenID Connect, which come back to it. */
  SUTURE_CONSOLE_PUBLIC_URL: optionalHttpUrl("https://console.example.org"),
  /** Issuer of the OpenID Connect provider by which people log in to the console. Unset: by key or link alone. */
  SUTURE_OIDC_ISSUER: optionalText(
    /^(?:https:\/\/[^\s/?#@]+|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?)(?:\/[^\s?#@]{0,500})?$/,
    "must be an https:// address (http:// on this machine alone) without user name, query or fragment",
    "https://login.example.org/realms/main",
  ),
  /** Name under which the provider knows the console. */
  SUTURE_OIDC_CLIENT_ID: optionalText(
    /^[\x21-\x7e]{1,300}$/,
    "must be printable ASCII without spaces",
    "suture-console",
  ),
  /** Secret that the provider gave the console; `@` and a path reads it from a file. Unset: a public client. */
  SUTURE_OIDC_CLIENT_SECRET: secret(
    /^[\x21-\x7e]{1,1000}$/,
    "must be printable ASCII without spaces",
    "@/run/secrets/oidc-client-secret",
  ),
  /** Scopes that the console asks for, with spaces between them. Some providers tell groups for `groups` alone. */
  SUTURE_OIDC_SCOPES: text(
    /^openid(?: [\x21-\x7e]{1,100}){0,20}$/,
    "must begin with openid; more with spaces between them",
    "openid email profile",
  ),
  /** Claim of the ID token, or of the provider's answer about the user, that gives people their roles. */
  SUTURE_OIDC_CLAIM: text(/^[A-Za-z0-9_.:/-]{1,200}$/, "must be the name of a claim", "groups"),
  /** Roles by a value of that claim: `role=value` with commas, `*` for anyone. Who has none of them is not let in. */
  SUTURE_OIDC_ROLES: roles,
};
