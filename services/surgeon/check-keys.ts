import type { Keyring } from "#shared/envelope/keys";
import { edgesOf } from "#shared/runtime";
import type { Team } from "#shared/runtime";

/**
 * Returns the edges of these teams, as `from>to`, that the keyring cannot verify. Their messages wait for a surgeon
 * that can.
 */
export function findUnverifiable(keyring: Keyring, teams: readonly Team[]): string[] {
  return edgesOf(teams)
    .filter(({ from, to }) => !keyring.canVerify(from, to))
    .map(({ from, to }) => `${from}>${to}`);
}
