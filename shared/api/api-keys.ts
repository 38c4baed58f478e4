import { z } from "zod";
import { API_SCOPES, newApiKeySchema, quotasSchema } from "#shared/config";
import { ADMINS, optionalWhy, optionalWhyBody } from "./fields.ts";
import type { DeclaredApi } from "./operation.ts";

/** A full name: `tenant/name`, each at most 64 characters. */
const NAME_CHARS_MAX = 130;

/** A key that was made while services run; neither its secret nor its digest. */
const keySchema = z.object({
  name: z.string(),
  tenant: z.string(),
  scope: z.enum(API_SCOPES),
  teams: z.array(z.string()).nullable(),
  quotas: quotasSchema,
  created_by: z.string(),
  created_at: z.string(),
  expires_at: z.string().nullable(),
  is_expired: z.boolean(),
});

export const API_KEYS = {
  listApiKeys: {
    method: "GET",
    path: "/v1/api-keys",
    summary: "List the keys that were made here, with what they use",
    scopes: ADMINS,
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
    method: "POST",
    path: "/v1/api-keys",
    summary: "Make a key; the answer has its secret, which nobody is told again",
    audit: "api-key.create",
    scopes: ADMINS,
    body: newApiKeySchema.extend({ why: optionalWhy }),
    isMasked: false,
    answers: { 201: keySchema.extend({ secret: z.string() }) },
    problems: ["api_keys_full"],
  },
  revokeApiKey: {
    method: "POST",
    path: "/v1/api-keys/:name/revoke",
    summary: "Revoke a key by its full name; every service refuses it within a second",
    audit: "api-key.revoke",
    scopes: ADMINS,
    params: z.object({ name: z.string().max(NAME_CHARS_MAX) }),
    body: optionalWhyBody,
    answers: { 200: z.object({ revoked: z.string() }) },
    problems: ["not_found"],
  },
} as const satisfies DeclaredApi;
