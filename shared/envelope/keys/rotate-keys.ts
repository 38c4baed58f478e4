import { KeyringInvalidError } from "../errors.ts";
import type { KeyGenerations } from "./key-record.ts";
import type { SealAlgorithm } from "../seals/sealed-message.ts";

/** Initial generations of a deployment with `SUTURE_TRUST=shared`: shared secrets. */
export const FIRST_GENERATION: KeyGenerations = { signing: 1, verifying: [1] };

/** Initial generations of a deployment with `SUTURE_TRUST=isolated`: key pairs. */
export const FIRST_PAIRS: KeyGenerations = { signing: 1, verifying: [1], ed25519: [1] };

/**
 * First step of a key rotation: the next generation verifies everywhere and signs nowhere. Issue it to every process
 * before the second step.
 *
 * @param alg - Algorithm of the next generation. Default `HS256`.
 */
export function introduceGeneration(
  generations: KeyGenerations,
  alg: SealAlgorithm = "HS256",
): KeyGenerations {
  const next = Math.max(...generations.verifying, generations.signing) + 1;
  const { ed25519 = [] } = generations;
  return {
    ...generations,
    verifying: [next, ...generations.verifying],
    ...(alg === "EdDSA" ? { ed25519: [next, ...ed25519] } : {}),
  };
}

/** Second step: the newest generation signs; older ones still verify, for messages in flight. */
export function promoteGeneration(generations: KeyGenerations): KeyGenerations {
  return { ...generations, signing: Math.max(...generations.verifying) };
}

/**
 * Third step: drops generations older than `oldestKept`. Keep those that sealed the oldest case in the ward.
 *
 * @throws {KeyringInvalidError} The signing generation would be dropped.
 */
export function retireGenerations(generations: KeyGenerations, oldestKept: number): KeyGenerations {
  if (oldestKept > generations.signing) {
    throw new KeyringInvalidError(`generation ${generations.signing} still signs; promote a newer one first`);
  }
  const { signing, verifying, ed25519 } = generations;
  const kept = (some: readonly number[]): number[] => some.filter((generation) => generation >= oldestKept);
  return {
    signing,
    verifying: kept(verifying),
    ...(ed25519 === undefined ? {} : { ed25519: kept(ed25519) }),
  };
}
