import { z } from "zod";
import { API_SCOPES, KEY_NAME, quotasSchema } from "./api-key.ts";
import { TENANT, TENANT_DEFAULT } from "./tenant.ts";

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
