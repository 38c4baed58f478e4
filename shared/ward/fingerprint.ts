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
 * Returns a fingerprint that groups cases with the same cause: agent, contract, failure class and the issues' codes and
 * paths with `*` for indices; without issues the error's message without particulars.
 * @returns `agent/failure_class/16 hex`, stable across processes and versions.
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
