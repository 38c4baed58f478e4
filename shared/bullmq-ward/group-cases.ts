import { createHash } from "node:crypto";
import { issuesInText } from "#shared/failure";
import { SENSITIVE_MASK } from "#shared/masking";
import { faultKinds, genericPlace, jsonValueOf } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { DataContract } from "./data-contract.ts";
import { describeReason } from "./describe-case.ts";
import type { JobCase } from "./job-case.ts";

/** Cases with the same faults in their data and the same error. Holds no payload but names of fields. */
export interface CaseGroup {
  /** 16 hex digits, the same in every process. */
  readonly id: string;
  /** `code path type` of each fault against the contract, with `*` for list indices and undeclared names. */
  readonly faults: readonly string[];
  /** The error without values of the data, ids, numbers and quoted text. */
  readonly error: string;
  readonly jobName: string;
  readonly count: number;
  /** The first job ids, at most 5. */
  readonly examples: readonly string[];
  /** Times of its first and its last failure, in ms since the epoch. */
  readonly firstFailedAtMs: number;
  readonly lastFailedAtMs: number;
}

const EXAMPLES_MAX = 5;
/** Groups that are told apart; cases of further ones are counted together. */
const GROUPS_MAX = 1000;
const REST = "rest";

/** Counts cases by group, in bounded memory. */
export class CaseGroups {
  readonly #groups = new Map<string, CaseGroup>();

  add(jobCase: JobCase, contract: DataContract | null): void {
    const own = groupOf(jobCase, contract);
    const isNew = !this.#groups.has(own.id);
    const group =
      isNew && this.#groups.size >= GROUPS_MAX ? { ...own, id: REST, faults: [], error: "" } : own;
    const { failedAtMs } = jobCase;
    const { count = 0, examples = [], firstFailedAtMs = failedAtMs } = this.#groups.get(group.id) ?? {};
    this.#groups.set(group.id, {
      ...group,
      count: count + 1,
      examples: examples.length < EXAMPLES_MAX ? [...examples, jobCase.id] : examples,
      firstFailedAtMs,
      lastFailedAtMs: failedAtMs,
    });
  }

  /** Returns the groups so far, largest first. */
  list(): readonly CaseGroup[] {
    return [...this.#groups.values()].toSorted((a, b) => b.count - a.count);
  }
}

/** Returns what a case's group is known by. */
export function groupOf(
  jobCase: JobCase,
  contract: DataContract | null,
): Pick<CaseGroup, "id" | "faults" | "error" | "jobName"> {
  const value = jobCase.data === null ? undefined : jsonValueOf(jobCase.data);
  const issues = issuesInText(jobCase.failedReason);
  const faults = faultsOf(jobCase, value, contract);
  // Sensitive words of the error can be told only from data that can be read.
  const isUntold = contract !== null && contract.isSensitive && !contract.reads(value);
  const error = isUntold
    ? SENSITIVE_MASK
    : issues.length > 0
      ? faultKinds(issues, undefined, (path) => placesOf(contract)((contract?.at ?? "") + path)).join(", ")
      : describeReason(jobCase.failedReason, value, contract?.words ?? null);
  const text = JSON.stringify([jobCase.queue, jobCase.name, faults, error]);
  const id = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return { id, faults, error, jobName: jobCase.name };
}

function faultsOf(
  { data, failedReason }: JobCase,
  value: JsonValue | undefined,
  contract: DataContract | null,
): readonly string[] {
  if (data === null) return ["unreadable"];
  if (value === undefined) return ["not_json"];
  const found = contract === null ? issuesInText(failedReason) : contract.findFaults(contract.part(value));
  return faultKinds(found, value, placesOf(contract));
}

function placesOf(contract: DataContract | null): (path: string) => string {
  return (path) => contract?.placeOf(path) ?? genericPlace(path, null);
}
