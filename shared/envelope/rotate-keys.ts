import { KeyringInvalidError } from "./errors.ts";
import type { KeyGenerations } from "./key-record.ts";

/** What a deployment begins with. */
export const FIRST_GENERATION: KeyGenerations = { signing: 1, verifying: [1] };

/**
 * First step of a rotation: the next generation verifies everywhere and signs nowhere. Issue it to every process, and
 * go on when all have it.
 */
export function introduceGeneration(generations: KeyGenerations): KeyGenerations {
  const next = Math.max(...generations.verifying, generations.signing) + 1;
  return { signing: generations.signing, verifying: [next, ...generations.verifying] };
}

/** Second step: the newest generation signs; the older ones verify on, for what is still under way. */
export function promoteGeneration(generations: KeyGenerations): KeyGenerations {
  return { signing: Math.max(...generations.verifying), verifying: generations.verifying };
}

/**
 * Third step: generations older than `oldestKept` are forgotten. Keep those that the oldest case in the ward was
 * sealed with.
 *
 * @throws {KeyringInvalidError} The signing generation itself would go.
 */
export function retireGenerations(generations: KeyGenerations, oldestKept: number): KeyGenerations {
  if (oldestKept > generations.signing) {
    throw new KeyringInvalidError(`generation ${generations.signing} still signs; promote a newer one first`);
  }
  const verifying = generations.verifying.filter((generation) => generation >= oldestKept);
  return { signing: generations.signing, verifying };
}
