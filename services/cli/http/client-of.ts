import { createClient } from "#shared/client";
import type { Client } from "#shared/client";
import type { Api } from "./call-api.ts";

/** A gateway that is killed again and again is waited for this long, in ms. */
const RETRY_MS = 90_000;

/** Opens the client of the package, with which commands follow runs and store files. */
export function clientOf({ url, key }: Api): Client {
  return createClient({ url, key, retryForMs: RETRY_MS });
}
