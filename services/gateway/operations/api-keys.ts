import { z } from "zod";
import { now, timestamp } from "#shared/clock";
import { API_SCOPES, keyNameOf, newApiKeySchema, quotasSchema } from "#shared/config";
import type { NewApiKey } from "#shared/config";
import { AbsentError, RequestInvalidError } from "#shared/http";
import type { StoredKey } from "#shared/store";
import { ApiKeysFullError } from "../errors.ts";
import type { Gateway } from "../gateway.ts";
import { ADMINS, operation } from "../operation.ts";

const keySchema = z.object({
  name: z.string(),
  tenant: z.string(),
  scope: z.enum(API_SCOPES),
  teams: z.array(z.string()).nullable(),
  quotas: quotasSchema,
  created_at: z.string(),
  created_by: z.string(),
  expires_at: z.string().nullable(),
});

export const createApiKey = operation({
  id: "createApiKey",
  summary: "Make an API key; the answer has its secret, which is told once",
  scopes: ADMINS,
  body: newApiKeySchema,
  status: 201,
  answers: keySchema.extend({ secret: z.string().meta({ description: "Kept by nobody but you." }) }),
  async handle({ gateway, body, caller }) {
    refuseUnusable(gateway, body);
    const by = caller?.name ?? "";
    const made = await gateway.store.apiKeys.add(body, by);
    if (made.kind !== "added") throw made.kind === "full" ? new ApiKeysFullError() : nameUsed();
    const { name, tenant, scope } = made.key;
    gateway.logger.info({ by, key: name, tenant, scope }, "an API key was made");
    return { ...view(made.key), secret: made.secret };
  },
});

export const listApiKeys = operation({
  id: "listApiKeys",
  summary: "List the API keys that were made here; configured ones are not among them",
  scopes: ADMINS,
  status: 200,
  answers: z.object({ keys: z.array(keySchema) }),
  async handle({ gateway }) {
    await gateway.store.apiKeys.refresh();
    return { keys: gateway.store.apiKeys.list().map(view) };
  },
});

export const revokeApiKey = operation({
  id: "revokeApiKey",
  summary: "Revoke an API key; every service refuses it within a second",
  scopes: ADMINS,
  params: z.object({ name: z.string().max(130).meta({ description: "In full: name, or tenant/name" }) }),
  status: 200,
  answers: z.object({ revoked: z.string() }),
  async handle({ gateway, params: { name }, caller }) {
    if (!(await gateway.store.apiKeys.revoke(name)))
      throw new AbsentError("API key", "Configured keys are revoked in the configuration.");
    gateway.logger.info({ by: caller?.name ?? "", key: name }, "an API key was revoked");
    return { revoked: name };
  },
});

function view({ created_ms, expires_ms, ...key }: StoredKey): z.output<typeof keySchema> {
  return {
    ...key,
    created_at: timestamp(created_ms),
    expires_at: expires_ms === null ? null : timestamp(expires_ms),
  };
}

function refuseUnusable({ teams, keys }: Gateway, asked: NewApiKey): void {
  const { tenant, name, teams: wanted, expires_at } = asked;
  if (expires_at !== null && Date.parse(expires_at) <= now())
    throw new RequestInvalidError([{ path: "/expires_at", code: "past", message: "is over already" }]);
  if (keys.isConfigured(keyNameOf(tenant, name))) throw nameUsed();
  const unknown = (wanted ?? []).findIndex((team) => !teams.some((known) => known.name === team));
  if (unknown === -1) return;
  throw new RequestInvalidError([
    { path: `/teams/${unknown}`, code: "unknown_team", message: "see /v1/teams for the teams there are" },
  ]);
}

function nameUsed(): RequestInvalidError {
  return new RequestInvalidError([
    { path: "/name", code: "used", message: "another key has it; revoke that one, or choose another name" },
  ]);
}
