import type { ApiKey } from "#shared/config";
import { failed, ok, open } from "../finding.ts";
import type { Finding } from "../finding.ts";
import type { Subject } from "../subject.ts";

/** Secrets below this length were typed by people. The least that is taken at all is 16. */
const LENGTH_SOUND = 24;
const DISTINCT_MIN = 8;

/** Checks the API keys of gateway and console, where this user may read them. */
export function checkApiKeys({ config }: Subject): readonly Finding[] {
  const check = "API keys";
  const keys = config.apiKeys ?? [];
  if (keys.length === 0) return [ok(check, "none that this user may read")];
  const shared = keys.filter((key) => keys.some((other) => other !== key && isSame(key, other)));
  if (shared.length > 0)
    return [failed(check, `${namesOf(shared)} have the same secret`, "Give each person a secret of its own")];
  const weak = keys.filter((key) => isWeak(key));
  if (weak.length > 0)
    return [
      failed(check, `${namesOf(weak)}: short or of few characters`, "Use 24 random characters or more"),
    ];
  if (keys.every(({ scope }) => scope === "admin"))
    return [
      open(check, `${namesOf(keys)}: of scope admin only`, "Give clients a key of scope submit or viewer"),
    ];
  return [ok(check, `${keys.length}, each with a secret of its own`)];
}

function isSame(one: ApiKey, other: ApiKey): boolean {
  return one.secret.reveal() === other.secret.reveal();
}

function isWeak({ secret }: ApiKey): boolean {
  const text = secret.reveal();
  return text.length < LENGTH_SOUND || new Set(text).size < DISTINCT_MIN;
}

function namesOf(keys: readonly ApiKey[]): string {
  return keys.map(({ name }) => name).join(", ");
}
