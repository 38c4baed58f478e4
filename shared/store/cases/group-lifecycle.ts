/**
 * Rules of a group's lifecycle. `group-lifecycle.lua` implements the same rules in Lua; a property test compares the
 * two.
 */

/** Returns a group's version, which rises with each change of its lifecycle. From 1. Times in ms; 0 for never. */
export function groupVersion(markedMs: number, regressedMs: number): number {
  return Math.max(1, markedMs, regressedMs);
}

/** A name with a version: an agent, a contract or a prompt. */
interface Party {
  readonly name: string;
  readonly version: number;
}

/**
 * Returns true if an arriving dead message is a regression of a resolved group. If the group was resolved since a
 * version of a party, messages of an older version of that party are not; messages that do not involve the party are.
 *
 * @param since - Null: every message is a regression.
 * @param parties - Names and versions involved in the message.
 */
export function isRegression(since: Party | null, parties: readonly Party[]): boolean {
  const party = parties.find(({ name }) => name === since?.name);
  return since === null || party === undefined || party.version >= since.version;
}
