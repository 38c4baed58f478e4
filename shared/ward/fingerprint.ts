import { createHash } from "node:crypto";
import type { FailureClass, Issue } from "#shared/errors";
import { withoutParticulars } from "#shared/failure";
import { collapseIndices } from "#shared/schema";

export interface FingerprintInput {
  readonly agent: string;
  /** `name@version`, or null if no contract is involved. */
  readonly contract: string | null;
  readonly failure_class: FailureClass;
  readonly issues: readonly Issue[];
  /** Text of a thrown error; used only without issues. */
  readonly message?: string | undefined;
}

/**
 * Returns a fingerprint that groups cases with the same cause.
 *
 * Computed from agent, contract, failure class and the set of (issue code, path with array indices collapsed to
 * `*`). Without issues the error's message is used, without ids, numbers and quoted text.
 *
 * @returns `agent/failure_class/16 hex`, stable across processes and versions.
 * @example fingerprint({ agent: "refunds", contract: "refunds.request@2", failure_class: "parse_error", issues: []
 * });
 */
export function fingerprint(input: FingerprintInput): string {
  const issues = new Set(
    input.issues.map((issue) => JSON.stringify([issue.code, collapseIndices(issue.path)])),
  );
  const message = issues.size === 0 ? withoutParticulars(input.message ?? "") : "";
  const parts = [input.agent, input.contract, input.failure_class, [...issues].toSorted(), message];
  const hash = createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
  return `${input.agent}/${input.failure_class}/${hash}`;
}
