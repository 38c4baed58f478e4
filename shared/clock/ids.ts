import { hash, randomBytes, randomUUID } from "node:crypto";
import { now } from "./clock.ts";

/** A new UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, then random bits. Sorts by time of making. */
export function uuidv7(): string {
  const time = now().toString(16).padStart(12, "0");
  // From the version on, Node's own is as random as ours has to be, and Node draws its bytes for many at once.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** The variant's two bits before the two that stay. */
const VARIANT = ["8", "9", "a", "b"] as const;

/** Derives a UUIDv8 from parts, length-prefixed: a repeat of a crashed send is the same message. */
export function derivedId(...parts: readonly (string | number)[]): string {
  let text = "";
  for (const part of parts) {
    const own = String(part);
    text += `${own.length}:${own};`;
  }
  const hex = hash("sha256", text, "hex");
  const variant = VARIANT[Number.parseInt(hex.charAt(16), 16) & 3] ?? "";
  return (
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-` +
    `${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  );
}

const POOL_BYTES = 4096;
/** Ids are many and short: asking for their bytes one by one takes ten times as long as all the rest of them. */
const POOLED_BYTES_MAX = 16;
let pool = Buffer.alloc(0);
let drawn = 0;

/** `bytes` random bytes as lower-case hex: trace ids (16), span ids (8), secrets (32). */
export function randomHex(bytes: number): string {
  // Secrets leave no copy behind.
  if (bytes > POOLED_BYTES_MAX) return randomBytes(bytes).toString("hex");
  if (drawn + bytes > pool.length) {
    pool = randomBytes(POOL_BYTES);
    drawn = 0;
  }
  drawn += bytes;
  return pool.toString("hex", drawn - bytes, drawn);
}

/** A number in [0, 1). Jitter only; secrets come from `randomHex`. */
export function random(): number {
  return Math.random();
}
