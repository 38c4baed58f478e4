import { createSecretKey } from "node:crypto";
import type { EnvelopeKey, KeyEdge, Keyring, KeyRecord } from "#shared/envelope/keys";

/** Makes the keys a thief of a key file could seal with on an edge. @param generations - That are tried. */
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
  return stolen.flatMap(({ secret }) => {
    const key = createSecretKey(Buffer.from(secret, "base64url"));
    return named.map((name) => ({ ...name, signing: key, verifying: key }));
  });
}
