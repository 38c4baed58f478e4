import { hash } from "node:crypto";

/** SHA-256 of a text's UTF-8 bytes, hex. Of an envelope's exact JSON text it is what its children carry as `parent_digest`. */
export function digestOf(text: string): string {
  return hash("sha256", text, "hex");
}
