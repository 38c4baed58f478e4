import { Secret } from "./secret.ts";
import type { VariableName, VariableValues } from "./variables.ts";
import { parseRedisUrl } from "./redis-url.ts";
import type { RedisTls } from "./redis-url.ts";

type PemVariable = "SUTURE_REDIS_TLS_CA" | "SUTURE_REDIS_TLS_CERT" | "SUTURE_REDIS_TLS_KEY";

/** Reads the files of TLS to Redis, and refuses what would silently not be used. Null: nothing is set. */
export function readRedisTls(
  values: VariableValues,
  tools: {
    readonly readPem: (name: PemVariable) => string | null;
    readonly refuse: (variable: VariableName, problem: string) => void;
  },
): RedisTls | null {
  const { SUTURE_REDIS_TLS_CERT: cert, SUTURE_REDIS_TLS_KEY: key } = values;
  const names = ["SUTURE_REDIS_TLS_CA", "SUTURE_REDIS_TLS_CERT", "SUTURE_REDIS_TLS_KEY"] as const;
  const set = [...names, "SUTURE_REDIS_TLS_SERVERNAME" as const].find((name) => values[name] !== null);
  if (set === undefined) return null;
  if (!isTls(values.REDIS_URL) && !isTls(values.SUTURE_REDIS_URLS))
    tools.refuse(set, "needs a REDIS_URL that begins with rediss");
  if (cert !== null && key === null) tools.refuse("SUTURE_REDIS_TLS_KEY", "must be set with the certificate");
  if (key !== null && cert === null) tools.refuse("SUTURE_REDIS_TLS_CERT", "must be set with its key");
  const [ca, certText, keyText] = names.map(tools.readPem);
  return {
    ca: ca ?? null,
    cert: certText ?? null,
    key: keyText === null || keyText === undefined ? null : new Secret(keyText),
    servername: values.SUTURE_REDIS_TLS_SERVERNAME,
  };
}

export function isTls(url: Secret | null): boolean {
  const parsed = url === null ? null : parseRedisUrl(url.reveal());
  return parsed !== null && "address" in parsed && parsed.address.isTls;
}
