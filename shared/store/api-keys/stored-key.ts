import { z } from "zod";
import { API_SCOPES, quotasSchema } from "#shared/config";
import { readJson } from "../read-fields.ts";

const storedKeySchema = z.object({
  /** Full name: `tenant/name` outside the default tenant. */
  name: z.string(),
  tenant: z.string(),
  scope: z.enum(API_SCOPES),
  teams: z.array(z.string()).nullable(),
  quotas: quotasSchema,
  created_ms: z.number(),
  created_by: z.string(),
  expires_ms: z.number().nullable(),
});

/** An API key as stored, under the SHA-256 of its secret, which is not stored. Times in ms since the epoch. */
export type StoredKey = z.output<typeof storedKeySchema>;

/** Parses a stored key. Returns null for one that this release cannot read; it is refused. */
export function readStoredKey(text: string): StoredKey | null {
  return storedKeySchema.safeParse(readJson(text)).data ?? null;
}
