import { z } from "zod";
import { newApiKeySchema } from "#shared/config";
import { storedKeySchema } from "#shared/store";
import { ADMINS, optionalWhy, optionalWhyBody, VIEWERS } from "./fields.ts";
import { get, post } from "./operation.ts";
import type { DeclaredApi } from "./operation.ts";

const secret = z.string().min(1).max(1024);

const sessionSchema = z.object({
  name: z.string(),
  role: z.enum(["viewer", "operator", "admin"]),
  is_rehearsal: z.boolean().meta({ description: "The bundled stand-in answers for the models." }),
});

export const SESSION = {
  logIn: {
    ...post("/v1/session", null),
    summary: "Open a session for a login link's token, or for an API key",
    body: z.union([z.strictObject({ token: secret }), z.strictObject({ api_key: secret })]),
    answers: { 200: sessionSchema },
    problems: ["login_refused"],
  },
  showLogin: {
    ...get("/v1/login", null),
    summary: "Say how people log in here, beside keys and links",
    answers: {
      200: z.object({
        openid: z
          .object({ host: z.string() })
          .nullable()
          .meta({ description: "The provider of OpenID Connect; `/login/openid` leads to it." }),
      }),
    },
  },
  showSession: {
    ...get("/v1/session", VIEWERS),
    summary: "Say who is asking, and what they may do",
    answers: {
      200: sessionSchema.extend({
        trace_url: z
          .string()
          .nullable()
          .meta({ description: "Address of a trace, with `{trace_id}` in it; null: none is set." }),
      }),
    },
  },
  logOut: {
    method: "DELETE",
    path: "/v1/session",
    summary: "End the session it comes with",
    scopes: VIEWERS,
    answers: { 204: null },
  },
} as const satisfies DeclaredApi;

/** A full name: `tenant/name`, each at most 64 characters. */
const NAME_CHARS_MAX = 130;

/** A key that was made while services run; neither its secret nor its digest. */
const keySchema = storedKeySchema.omit({ created_ms: true, expires_ms: true }).extend({
  created_at: z.string(),
  expires_at: z.string().nullable(),
  is_expired: z.boolean(),
});

export const API_KEYS = {
  listApiKeys: {
    ...get("/v1/api-keys", ADMINS),
    summary: "List the keys that were made here, with what they use",
    answers: {
      200: z.object({
        keys: z.array(
          keySchema.extend({
            use: z
              .object({ running_runs: z.number(), waiting_runs: z.number(), cost_today: z.number() })
              .nullable()
              .meta({ description: "Null where no quota of runs or money counts anything." }),
          }),
        ),
        teams: z.array(z.string()),
      }),
    },
  },
  createApiKey: {
    ...post("/v1/api-keys", ADMINS, "api-key.create"),
    summary: "Make a key; the answer has its secret, which nobody is told again",
    body: newApiKeySchema.extend({ why: optionalWhy }),
    isMasked: false,
    answers: { 201: keySchema.extend({ secret: z.string() }) },
    problems: ["api_keys_full"],
  },
  revokeApiKey: {
    ...post("/v1/api-keys/:name/revoke", ADMINS, "api-key.revoke"),
    summary: "Revoke a key by its full name; every service refuses it within a second",
    params: z.object({ name: z.string().max(NAME_CHARS_MAX) }),
    body: optionalWhyBody,
    answers: { 200: z.object({ revoked: z.string() }) },
    problems: ["not_found"],
  },
} as const satisfies DeclaredApi;
