import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Secret } from "#shared/config";

/** Everything of a request that its signature covers. */
export interface SignedRequest {
  readonly method: string;
  readonly path: string;
  /** Names of clusters. */
  readonly from: string;
  readonly to: string;
  /** Milliseconds since the epoch. */
  readonly sentMs: number;
  /** Never used before: 32 hex digits. */
  readonly nonce: string;
  readonly body: Uint8Array;
}

/** Everything of a reply that its signature covers: an answer to another request is none to this one. */
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

/** What a request's header claims; null where it is none. Nothing of it is believed yet. */
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

/** The secret under which `mac` was made, or undefined. Each comparison takes the same time whatever it finds. */
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

/** Parts with their lengths, so that no two lists of them give the same text; the body by its digest. */
function macOf(parts: readonly string[], body: Uint8Array, secret: Secret): string {
  const text = parts.map((part) => `${Buffer.byteLength(part)}:${part};`).join("");
  const digest = createHash("sha256").update(body).digest("hex");
  return createHmac("sha256", Buffer.from(secret.reveal(), "base64url"))
    .update(text + digest)
    .digest("base64url");
}
