import { createHash } from "node:crypto";
import type { FailureClass, Issue } from "#shared/errors";
import { withoutParticulars } from "#shared/failure";
import type { JsonSchema } from "#shared/json";
import { faultKinds, genericPlace, literalsOf } from "#shared/schema";
import type { JsonValue } from "#shared/schema";

export interface FingerprintInput {
  readonly agent: string;
  /** `name@version`, or null if no contract is involved. */
  readonly contract: string | null;
  /** JSON Schema of the contract. */
  readonly schema: JsonSchema;
  readonly failure_class: FailureClass;
  readonly issues: readonly Issue[];
  /** Where the issues are; undefined if it cannot be read. */
  readonly value: JsonValue | undefined;
  /** Text of a thrown error; used only without issues. */
  readonly message?: string | undefined;
}

/**
 * Returns a fingerprint that groups cases with the same cause: agent, contract, failure class and the kinds of faults;
 * without faults the error's message without particulars.
 * @returns `agent/failure_class/16 hex`, stable across processes and versions.
 */
export function fingerprint(input: FingerprintInput): string {
  const { agent, contract, failure_class, issues, value } = input;
  const { names } = literalsOf(input.schema);
  const faults = faultKinds(issues, value, (path) => genericPlace(path, names));
  const message = faults.length === 0 ? withoutParticulars(input.message ?? "") : "";
  const parts = [agent, contract, failure_class, faults, message];
  const hash = createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
  return `${agent}/${failure_class}/${hash}`;
}
