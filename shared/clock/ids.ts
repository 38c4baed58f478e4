import { hash, randomBytes } from "node:crypto";
import { now } from "./clock.ts";

function asUuid(bytes: Buffer, version: 7 | 8): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString("hex", 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A new UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, then random bits. Sorts by time of making. */
export function uuidv7(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now(), 0, 6);
  return asUuid(bytes, 7);
}

/**
 * A UUIDv8 derived from its parts: the same parts always give the same id, so that a repeat of a crashed send
 * is the same message. Parts are length-prefixed, so ("a", "bc") and ("ab", "c") differ.
 */
export function derivedId(...parts: readonly (string | number)[]): string {
  let text = "";
  for (const part of parts) {
    const own = String(part);
    text += `${own.length}:${own};`;
  }
  return asUuid(hash("sha256", text, "buffer"), 8);
}

/** `bytes` random bytes as lower-case hex: trace ids (16), span ids (8), secrets (32). */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}

/** A number in [0, 1). Jitter only; secrets come from `randomHex`. */
export function random(): number {
  return Math.random();
}
