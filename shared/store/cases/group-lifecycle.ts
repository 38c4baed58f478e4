/**
 * Decisions about a group's lifecycle. `group-lifecycle.lua` is the same in Lua, where they are made; a property test
 * compares the two.
 */

/** Returns the version of a group: it rises with each change of its lifecycle. From 1. Times in ms; 0 for never. */
export function groupVersion(markedMs: number, regressedMs: number): number {
  return Math.max(1, markedMs, regressedMs);
}

/** A name with a version: an agent, a contract, a prompt. */
interface Party {
  readonly name: string;
  readonly version: number;
}

/**
 * Returns whether a dead message that arrives reopens a resolved group. Where the group was resolved since a version of
 * something, older versions of that do not count against it; what has nothing to do with that thing does.
 *
 * @param since - Null: every message counts.
 * @param parties - Who had to do with the message.
 */
export function speaksAgainst(since: Party | null, parties: readonly Party[]): boolean {
  const party = parties.find(({ name }) => name === since?.name);
  return since === null || party === undefined || party.version >= since.version;
}
