import { now, timestamp } from "#shared/clock";
import { keyNameOf } from "#shared/config";
import type { NewApiKey } from "#shared/config";
import { AbsentError, RequestInvalidError } from "#shared/http";
import type { StoredKey } from "#shared/store";
import type { Console, Handler } from "../../console.ts";
import { ApiKeysFullError } from "../../errors.ts";

/** Lists the keys that were made here, with what they use: neither a secret nor its digest. */
export const listApiKeys: Handler<"listApiKeys"> = async ({ console: { store, teams } }) => {
  await store.apiKeys.refresh();
  const keys = store.apiKeys.list().map(async (key) => {
    const { requests_per_minute: _perMinute, ...counted } = key.quotas;
    // Of a key without a quota of runs or money nothing is counted.
    const isCounted = Object.keys(counted).length > 0;
    return { ...view(key), use: isCounted ? await store.owners.use(`key:${key.name}`) : null };
  });
  return { keys: await Promise.all(keys), teams: teams.map(({ name }) => name) };
};

/** Makes a key; the answer has its secret, which nobody is told again. */
export const createApiKey: Handler<"createApiKey"> = async ({ console, body, caller }) => {
  const { why: _why, ...wanted } = body;
  refuseUnusable(console, wanted);
  const made = await console.store.apiKeys.add(wanted, caller.name);
  if (made.kind !== "added") throw made.kind === "full" ? new ApiKeysFullError() : nameUsed();
  return { ...view(made.key), secret: made.secret };
};

/** Revokes a key by its full name; every service refuses it within a second. */
export const revokeApiKey: Handler<"revokeApiKey"> = async ({ console: { store }, params: { name } }) => {
  if (!(await store.apiKeys.revoke(name))) throw new AbsentError("API key");
  return { revoked: name };
};

function view({ created_ms, expires_ms, ...key }: StoredKey) {
  return {
    ...key,
    created_at: timestamp(created_ms),
    expires_at: expires_ms === null ? null : timestamp(expires_ms),
    is_expired: expires_ms !== null && expires_ms <= now(),
  };
}

function refuseUnusable({ teams, apiKeys }: Console, wanted: NewApiKey): void {
  const { tenant, name, expires_at } = wanted;
  if (expires_at !== null && Date.parse(expires_at) <= now())
    throw refusal("/expires_at", "past", "is over already");
  if (apiKeys.isConfigured(keyNameOf(tenant, name))) throw nameUsed();
  const names = teams.map((team) => team.name);
  const unknown = (wanted.teams ?? []).findIndex((team) => !names.includes(team));
  if (unknown !== -1)
    throw refusal(`/teams/${unknown}`, "unknown_team", `no such team; there are ${names.join(", ")}`);
}

function nameUsed(): RequestInvalidError {
  return refusal("/name", "used", "another key has it; revoke that one, or choose another name");
}

function refusal(path: string, code: string, message: string): RequestInvalidError {
  return new RequestInvalidError([{ path, code, message }]);
}
