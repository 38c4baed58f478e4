import { createHash } from "node:crypto";
import type { FailureClass, Issue } from "#shared/errors";
import { withoutParticulars } from "#shared/failure";
import type { JsonSchema } from "#shared/json";
import { hasSensitive } from "#shared/masking";
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
  /** The value that the issues point into; undefined if it cannot be read. */
  readonly value: JsonValue | undefined;
  /** Text of a thrown error; used only without issues. */
  readonly message?: string | undefined;
}

/** Lines of a cause, and their length in characters. */
const LINES_MAX = 10;
const LINE_CHARS_MAX = 300;

/**
 * Returns the fingerprint that groups cases with the same cause: agent, contract, failure class and the kinds of
 * faults; without faults the error's message without particulars.
 * @returns `fingerprint`: `agent/failure_class/16 hex`, stable across processes and versions. `cause`: what it stands
 *   for, without values; without the message where the contract marks anything as sensitive.
 */
export function groupOf(input: FingerprintInput): {
  readonly fingerprint: string;
  readonly cause: readonly string[];
} {
  const { agent, contract, failure_class, issues, value } = input;
  const { names } = literalsOf(input.schema);
  const faults = faultKinds(issues, value, (path) => genericPlace(path, names));
  const message = faults.length === 0 ? withoutParticulars(input.message ?? "") : "";
  const parts = [agent, contract, failure_class, faults, message];
  const hash = createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
  const told = message === "" || hasSensitive(input.schema) ? [] : [message];
  const cause = [...faults, ...told].slice(0, LINES_MAX).map((line) => line.slice(0, LINE_CHARS_MAX));
  return { fingerprint: `${agent}/${failure_class}/${hash}`, cause };
}
