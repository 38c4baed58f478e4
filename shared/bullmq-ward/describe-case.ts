import { concealIn, SENSITIVE_MASK } from "#shared/masking";
import { editJson } from "#shared/schema/edit";
import { jsonValueOf } from "#shared/schema";
import type { DataContract } from "./data-contract.ts";
import type { JobCase } from "./job-case.ts";

/**
 * Returns a case for people: what the contract marks is masked in the data, error and stack, unreadable data whole. Its
 * version and digest are left out, because short values could be found from them.
 */
export function describeCase(jobCase: JobCase, contract: DataContract | null): JobCase {
  if (contract === null || !contract.isSensitive) return jobCase;
  const whole = jobCase.data === null ? undefined : jsonValueOf(jobCase.data);
  const part = whole === undefined ? undefined : contract.part(whole);
  const described = { ...jobCase, version: "", digest: null };
  if (whole === undefined || part === undefined)
    return {
      ...described,
      data: jobCase.data === null ? null : SENSITIVE_MASK,
      failedReason: SENSITIVE_MASK,
      stacktrace: SENSITIVE_MASK,
    };
  const { payload, elsewhere, beside } = concealIn(part, contract.jsonSchema);
  const text = (value: string): string => String(elsewhere(value));
  const masked = jsonValueOf(contract.replacePart(jobCase.data ?? "", JSON.stringify(payload))) ?? null;
  // What is masked of JSON stays JSON.
  const shown = beside(masked) as typeof masked;
  return {
    ...described,
    data: editJson(jobCase.data ?? "", shown) ?? JSON.stringify(shown),
    failedReason: text(jobCase.failedReason),
    stacktrace: text(jobCase.stacktrace),
  };
}
