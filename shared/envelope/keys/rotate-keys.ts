import { KeyringInvalidError } from "../errors.ts";
import type { KeyGenerations } from "./key-record.ts";

/** Initial generations of a deployment. */
export const FIRST_GENERATION: KeyGenerations = { signing: 1, verifying: [1] };

/**
 * First step of a key rotation: the next generation verifies everywhere and signs nowhere. Issue it to every process
 * before the second step.
 */
export function introduceGeneration(generations: KeyGenerations): KeyGenerations {
  const next = Math.max(...generations.verifying, generations.signing) + 1;
  return { ...generations, verifying: [next, ...generations.verifying] };
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
  const { signing, verifying } = generations;
  return { signing, verifying: verifying.filter((generation) => generation >= oldestKept) };
}
