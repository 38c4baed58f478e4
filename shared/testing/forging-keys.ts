import { createPrivateKey, createPublicKey, createSecretKey } from "node:crypto";
import type { KeyObject } from "node:crypto";
import type { EnvelopeKey, KeyEdge, Keyring, KeyRecord } from "#shared/envelope/keys";

/** A PKCS #8 Ed25519 private key is this head and 32 bytes of seed (RFC 8410). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

/**
 * Makes what whoever has stolen a key file could try to seal with on an edge, those made of that edge's own keys first:
 * every shared secret and private key of the file under the edge's name, and every public key as the secret of an
 * HMAC, in each form that it may be written in.
 *
 * @param generations - Of the edge's keys that are tried.
 */
export function forgingKeys(
  file: Keyring,
  edge: KeyEdge,
  generations: readonly number[] = [1],
): EnvelopeKey[] {
  const { keys } = JSON.parse(file.exportJson()) as { readonly keys: readonly KeyRecord[] };
  const isOwn = ({ from, to }: KeyEdge): boolean => from === edge.from && to === edge.to;
  const stolen = [...keys.filter(isOwn), ...keys.filter((key) => !isOwn(key))];
  const named = generations.map((generation) => ({
    ...edge,
    key_id: `${edge.from}>${edge.to}#${generation}`,
  }));
  return stolen.flatMap((record) =>
    named.flatMap((name) => keysOf(record).map((key) => ({ ...name, ...key }))),
  );
}

function keysOf(record: KeyRecord): Pick<EnvelopeKey, "alg" | "signing" | "verifying">[] {
  if (record.alg === "HS256") return [hmacBy(Buffer.from(record.secret, "base64url"))];
  const point = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: record.public }, format: "jwk" });
  const asSecrets = [
    Buffer.from(record.public, "base64url"),
    Buffer.from(record.public),
    point.export({ format: "der", type: "spki" }),
    Buffer.from(point.export({ format: "pem", type: "spki" })),
  ].map(hmacBy);
  if (record.private === undefined) return asSecrets;
  const seed = Buffer.from(record.private, "base64url");
  const signing = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: "der", type: "pkcs8" });
  return [{ alg: "EdDSA", signing, verifying: point }, hmacBy(seed), ...asSecrets];
}

function hmacBy(bytes: Buffer): { alg: "HS256"; signing: KeyObject; verifying: KeyObject } {
  const secret = createSecretKey(bytes);
  return { alg: "HS256", signing: secret, verifying: secret };
}
