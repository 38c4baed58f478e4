import { VARIABLES } from "#shared/config";
import type { VariableName } from "#shared/config";

/** Variables that any program needs from its system. Proxy variables count in upper and lower case. */
const SYSTEM: readonly string[] = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "HOSTNAME",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TMPDIR",
  "TMP",
  "TEMP",
  "LD_LIBRARY_PATH",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "SYSTEMROOT",
  "WINDIR",
  "COMSPEC",
  "PATHEXT",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
];
/** Families of variables, by how they begin: locale, Node itself, OpenTelemetry, the user's folders. */
const FAMILIES = ["LC_", "NODE_", "OTEL_", "XDG_"];

/**
 * Returns the part of an environment that a service may see: what the system and Node need, Suture's variables without
 * secrets, and the named ones. Everything else is withheld, so that a new secret is withheld by default.
 *
 * @param named.secrets - Suture's variables with secrets that this service needs.
 * @param named.foreign - Variables of others, as `SUTURE_AGENT_VARIABLES` names them: `STRIPE_KEY`, `CRM_*`.
 */
export function narrowEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  named: { readonly secrets: readonly VariableName[]; readonly foreign: readonly string[] },
): Record<string, string> {
  const isSeen = (name: string): boolean => {
    if (isOurs(name)) return VARIABLES[name].isSecret !== true || named.secrets.includes(name);
    const upper = name.toUpperCase();
    return (
      SYSTEM.includes(upper) ||
      FAMILIES.some((start) => upper.startsWith(start)) ||
      named.foreign.some((wanted) =>
        wanted.endsWith("*") ? name.startsWith(wanted.slice(0, -1)) : name === wanted,
      )
    );
  };
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && isSeen(entry[0]),
    ),
  );
}

function isOurs(name: string): name is VariableName {
  return Object.hasOwn(VARIABLES, name);
}
