import type { TaskPushNotificationConfig } from "@a2a-js/sdk";
import { z } from "zod";
import { readJson } from "#shared/store";

const targetSchema = z.object({
  url: z.string(),
  token: z.string(),
  scheme: z.string(),
  credentials: z.string(),
  /** SHA-256 of the secret of the key that asked for it: it is told what that key sees now, while there is that key. */
  key: z.string(),
  /** Status of the run that it was told last; null: none. */
  told: z.string().nullable(),
  failures: z.number(),
});

/** An address that is told how a task goes on, as the run's record keeps it. */
export type PushTarget = z.output<typeof targetSchema>;

/** @param key - Digest of the caller's key. */
export function newTarget(config: TaskPushNotificationConfig, key: string): PushTarget {
  return {
    url: config.url,
    token: config.token,
    scheme: config.authentication?.scheme ?? "",
    credentials: config.authentication?.credentials ?? "",
    key,
    told: null,
    failures: 0,
  };
}

/** Undefined for what cannot be read. */
export function readTarget(text: string): PushTarget | undefined {
  return targetSchema.safeParse(readJson(text)).data;
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
