import { hash } from "node:crypto";

/**
 * Returns the SHA-256 of a text's UTF-8 bytes in hex. Children carry that of their parent's JSON text as
 * `parent_digest`.
 */
export function digestOf(text: string): string {
  return hash("sha256", text, "hex");
}
