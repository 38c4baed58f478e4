import { branchOf } from "#shared/envelope";
import type { Envelope } from "#shared/envelope";

/** Returns true when a message is one of several requests of an e-mail, whose answer `joint-reply` waits for. */
export function isOneOfSeveral({ meta }: Pick<Envelope, "meta">): boolean {
  return branchOf(meta) !== null;
}

/**
 * Returns a key for an effect that happens once for each request of a run. Branches share their run, so the key of a
 * branch holds its index.
 */
export function requestKey(action: string, { meta }: Pick<Envelope, "meta">): string {
  const branch = branchOf(meta);
  return `${action}:${meta.run_id}${branch === null ? "" : `:${branch.index}`}`;
}
