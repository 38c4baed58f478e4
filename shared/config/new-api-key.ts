import { z } from "zod";
import { API_SCOPES, KEY_NAME } from "./api-key.ts";
import { TENANT, TENANT_DEFAULT } from "./tenant.ts";

const COUNT_MAX = 100_000_000;
const TEAMS_MAX = 100;

export const quotasSchema = z
  .strictObject({
    requests_per_minute: z
      .int()
      .min(1)
      .max(COUNT_MAX)
      .exactOptional()
      .meta({ description: "Over all gateways, by the minute of the clock." }),
    running_runs: z
      .int()
      .min(1)
      .max(COUNT_MAX)
      .exactOptional()
      .meta({ description: "Runs that have not ended, waiting ones included." }),
    waiting_runs: z
      .int()
      .min(1)
      .max(COUNT_MAX)
      .exactOptional()
      .meta({ description: "Runs that no agent has begun." }),
    cost_per_day: z
      .number()
      .min(0.000001)
      .max(COUNT_MAX)
      .exactOptional()
      .meta({ description: "USD, by the day of UTC; runs under way go on when it is reached." }),
  })
  .meta({ description: "Absent: no limit of its own." });

/** What an admin says of a key to be made. */
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
