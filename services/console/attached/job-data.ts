import type { BullmqWard, JobCase } from "#shared/bullmq-ward";
import type { Issue } from "#shared/errors";
import { editJson } from "#shared/schema/edit";
import type { JsonValue } from "#shared/schema";
import { maskText } from "../masking/mask-secrets.ts";
import { parseTyped } from "../masking/parse-typed.ts";
import { restoreSecrets } from "../masking/restore-secrets.ts";

/** A person's new data for a job. */
interface JudgedData {
  /** JSON text as it was typed, with values put back where their masks were left. */
  readonly data: string;
  /** Faults against the contract, and masks that hide nothing known. */
  readonly issues: readonly Issue[];
}

/** Returns a case's data as people get it: with secrets, and what its contract marks as `x-sensitive`, masked. */
export function shownDataOf(ward: BullmqWard, jobCase: JobCase): string | null {
  const { data } = ward.describe(jobCase);
  return data === null ? null : maskText(data);
}

/** Holds a person's new data against the contract. No mask is ever written to a job. */
export function judgeData(ward: BullmqWard, jobCase: JobCase, typed: string): JudgedData {
  const parsed = parseTyped(typed);
  if ("issues" in parsed) return { data: typed, issues: parsed.issues };
  const { value, issues: masks } = restoreSecrets(parsed.value, knownOf(ward, jobCase));
  if (masks.length > 0) return { data: typed, issues: masks };
  const data = editJson(typed, value) ?? JSON.stringify(value);
  return { data, issues: ward.findFaults(data) };
}

/** Returns the data as it is and as it was shown. Data whose numbers would lose digits is not put back from. */
function knownOf(
  ward: BullmqWard,
  jobCase: JobCase,
): readonly { readonly value: JsonValue; readonly masked: unknown }[] {
  const before = jobCase.data === null ? null : parseTyped(jobCase.data);
  const shown = shownDataOf(ward, jobCase);
  const masked = shown === null ? null : parseTyped(shown);
  if (before === null || masked === null || "issues" in before || "issues" in masked) return [];
  return [{ value: before.value, masked: masked.value }];
}
