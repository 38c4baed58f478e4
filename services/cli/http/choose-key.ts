import type { ApiKey, ApiScope } from "#shared/config";
import { CommandRefusedError } from "../errors.ts";

const WIDEST_FIRST: readonly ApiScope[] = ["admin", "operator", "submit", "viewer"];

/** The key with the widest scope. @throws {CommandRefusedError} There is none. */
export function chooseKey(keys: readonly ApiKey[]): ApiKey {
  const widest = WIDEST_FIRST.flatMap((scope) => keys.filter((key) => key.scope === scope))[0];
  if (widest !== undefined) return widest;
  throw new CommandRefusedError("There is no API key.", "Set SUTURE_API_KEYS, or name one with --key.");
}
