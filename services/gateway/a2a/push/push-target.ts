import type { TaskPushNotificationConfig } from "@a2a-js/sdk";
import { z } from "zod";
import { API_SCOPES } from "#shared/config";
import type { KeyHolder } from "#shared/config";
import { readJson } from "#shared/store";
import type { Caller } from "../../tenancy/may-see.ts";

const targetSchema = z.object({
  url: z.string(),
  token: z.string(),
  scheme: z.string(),
  credentials: z.string(),
  /** Whose key asked for it: it is told what that key sees. */
  by: z.object({
    name: z.string(),
    tenant: z.string(),
    scope: z.enum(API_SCOPES),
    teams: z.array(z.string()).nullable(),
  }),
  /** Status of the run that it was told last; null: none. */
  told: z.string().nullable(),
  failures: z.number(),
});

/** An address that is told how a task goes on, as the run's record keeps it. */
export type PushTarget = z.output<typeof targetSchema>;

export function newTarget(config: TaskPushNotificationConfig, caller: NonNullable<Caller>): PushTarget {
  const { name, tenant, scope, teams } = caller;
  return {
    url: config.url,
    token: config.token,
    scheme: config.authentication?.scheme ?? "",
    credentials: config.authentication?.credentials ?? "",
    by: { name, tenant, scope, teams: teams === null ? null : [...teams] },
    told: null,
    failures: 0,
  };
}

/** Undefined for what cannot be read. */
export function readTarget(text: string): PushTarget | undefined {
  return targetSchema.safeParse(readJson(text)).data;
}

/** Returns the key's holder as far as it decides what is seen. */
export function holderOf({ by }: PushTarget): KeyHolder {
  return { ...by, quotas: {} };
}

/** Returns a target as its client reads it again: without what is secret. */
export function toConfig(
  taskId: string,
  id: string,
  { url, scheme }: PushTarget,
): TaskPushNotificationConfig {
  const authentication = scheme === "" ? undefined : { scheme, credentials: "" };
  return { tenant: "", id, taskId, url, token: "", authentication };
}
