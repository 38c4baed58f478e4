import { createHash } from "node:crypto";

/** KEDA puts `keda-hpa-` before a name, and uses it as a label of at most 63 characters. */
const CHARACTERS_MAX = 52;
const DIGEST_CHARACTERS = 8;

/**
 * Returns a name that Kubernetes takes (a label of DNS-1123): the given one where it is one, else its characters that
 * are allowed and a digest of the whole, so that two names never become one.
 */
export function objectName(name: string): string {
  const plain = trim(name.toLowerCase().replaceAll(/[^a-z0-9-]/g, "-"));
  if (plain === name && plain.length <= CHARACTERS_MAX) return name;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, DIGEST_CHARACTERS);
  return trim(`${trim(plain.slice(0, CHARACTERS_MAX - DIGEST_CHARACTERS - 1))}-${digest}`);
}

function trim(name: string): string {
  return name.replaceAll(/^-+|-+$/g, "");
}
