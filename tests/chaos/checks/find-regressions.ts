/** Counters of a ledger's record: they only rise. */
const COUNTERS = ["begun", "requeues"];

/**
 * What went backwards in one record of the ledger between two looks at it: an outcome or a recorded step that is gone
 * or another, a counter that fell, other bytes under a settled outcome. Such a thing is what a write behind the fence
 * would leave. Pure.
 *
 * @returns one line for each; empty when nothing did.
 */
export function findRegressions(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): string[] {
  const found: string[] = [];
  // Destroyed while it was open: the outcome that says so is one of the bytes that were found then.
  const mayBeReplaced = before["outcome"] === undefined && after["outcome"] !== undefined;
  for (const [name, value] of Object.entries(before)) {
    if (name === "digest" && mayBeReplaced) continue;
    const isKept = name === "outcome" || name === "digest" || name === "accepted" || /^[sd]:/.test(name);
    if (isKept && after[name] === undefined) found.push(`${name} is gone`);
    else if (isKept && after[name] !== value) found.push(`${name} was written over`);
    if (COUNTERS.includes(name) && Number(after[name] ?? 0) < Number(value)) found.push(`${name} fell`);
  }
  return found;
}
