import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Secret } from "#shared/config";

/** The parts of a request that its signature covers. */
export interface SignedRequest {
  readonly method: string;
  readonly path: string;
  /** Cluster names. */
  readonly from: string;
  readonly to: string;
  /** Milliseconds since the epoch. */
  readonly sentMs: number;
  /** Random, 32 hex digits, used once. */
  readonly nonce: string;
  readonly body: Uint8Array;
}

/** The parts of a reply that its signature covers. The request's nonce binds it to that request. */
export interface SignedReply {
  readonly nonce: string;
  readonly status: number;
  readonly body: Uint8Array;
}

/** Header of requests: `v1 <from> <sent ms> <nonce> <mac>`. */
export const REQUEST_HEADER = "suture-bridge";
/** Header of replies: the mac. */
export const REPLY_HEADER = "suture-bridge-reply";

const HEAD = /^v1 (?<from>[a-z][a-z0-9-]{0,31}) (?<sent>\d{1,15}) (?<nonce>[0-9a-f]{32}) (?<mac>[\w-]{43})$/;

export function writeHead(request: SignedRequest, secret: Secret): string {
  return `v1 ${request.from} ${request.sentMs} ${request.nonce} ${macOfRequest(request, secret)}`;
}

/** Parses the request header without verifying it; null when it is malformed. */
export function readHead(
  header: unknown,
): { readonly from: string; readonly sentMs: number; readonly nonce: string; readonly mac: string } | null {
  const { from, sent, nonce, mac } = (typeof header === "string" ? HEAD.exec(header)?.groups : null) ?? {};
  if (from === undefined || nonce === undefined || mac === undefined) return null;
  return { from, sentMs: Number(sent), nonce, mac };
}

export function macOfRequest(request: SignedRequest, secret: Secret): string {
  const { method, path, from, to, sentMs, nonce, body } = request;
  return macOf(["suture.bridge.request.v1", method, path, from, to, String(sentMs), nonce], body, secret);
}

export function macOfReply({ nonce, status, body }: SignedReply, secret: Secret): string {
  return macOf(["suture.bridge.reply.v1", nonce, String(status)], body, secret);
}

/** Returns the secret under which `mac` was made, or undefined. Compares in constant time. */
export function findSecret(
  mac: string,
  {
    secrets,
    macUnder,
  }: { readonly secrets: readonly Secret[]; readonly macUnder: (secret: Secret) => string },
): Secret | undefined {
  const given = Buffer.from(mac);
  return secrets.find((secret) => {
    const expected = Buffer.from(macUnder(secret));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
}

/**
 * Computes the HMAC over length-prefixed parts and the digest of the body, so that no two lists of parts give the
 * same text.
 */
function macOf(parts: readonly string[], body: Uint8Array, secret: Secret): string {
  const text = parts.map((part) => `${Buffer.byteLength(part)}:${part};`).join("");
  const digest = createHash("sha256").update(body).digest("hex");
  return createHmac("sha256", Buffer.from(secret.reveal(), "base64url"))
    .update(text + digest)
    .digest("base64url");
}
