import type { Keyring } from "#shared/envelope/keys";
import { edgesOf } from "#shared/runtime";
import type { Team } from "#shared/runtime";

/**
 * Names the edges of these teams, `from>to`, that the keyring cannot verify. Messages that come along them are not
 * believed, and wait for a surgeon that can.
 */
export function findUnverifiable(keyring: Keyring, teams: readonly Team[]): string[] {
  return edgesOf(teams)
    .filter(({ from, to }) => from !== "console" && !keyring.canVerify(from, to))
    .map(({ from, to }) => `${from}>${to}`);
}
