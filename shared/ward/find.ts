import type { FailureClass } from "#shared/errors";
import { OPEN_CASE_STATUSES } from "#shared/store";
import type { CaseIndex, CaseStatus, Store } from "#shared/store";
import { toCaseDetail, toWardCase } from "./ward-case.ts";
import type { CaseDetail, WardCase } from "./ward-case.ts";

/** Every filter that is given must hold. */
export interface CaseFilter {
  readonly status?: CaseStatus;
  readonly fingerprint?: string;
  readonly run_id?: string;
  readonly agent?: string;
  readonly failure_class?: FailureClass;
  /** Found in the case's ids, names or diagnosis, in any case of letters. The letter itself is not searched. */
  readonly text?: string;
}

/** Cases looked at for one page at most; a page may then be short and still have a cursor. */
const SCANNED_MAX = 2000;
const PAGE = 100;

/** A page of cases, newest first. `cursor` is null at the end. */
export async function findCases(
  store: Store,
  asked: { readonly filter: CaseFilter; readonly cursor?: string | null; readonly limit: number },
): Promise<{ cases: WardCase[]; cursor: string | null }> {
  const found: WardCase[] = [];
  let cursor = asked.cursor ?? null;
  for (let scanned = 0; scanned < SCANNED_MAX; scanned += PAGE) {
    // No more than what is still wanted, so that the cursor never runs ahead of what was given.
    const limit = Math.min(PAGE, Math.max(1, asked.limit - found.length));
    const page = await store.cases.list(indexOf(asked.filter), { cursor, limit });
    found.push(...page.cases.map(toWardCase).filter((one) => matches(one, asked.filter)));
    cursor = page.cursor;
    if (cursor === null || found.length >= asked.limit) break;
  }
  return { cases: found, cursor };
}

/** One case with its letters and operations. @throws {NotFoundError} */
export async function getCase(store: Store, caseId: string): Promise<CaseDetail> {
  return toCaseDetail(await store.cases.get(caseId));
}

/** Whether the ward holds as many open cases as it may: the gateway then takes no new task. */
export async function wardIsFull(store: Store, openMax: number): Promise<boolean> {
  const counts = await store.cases.counts();
  return OPEN_CASE_STATUSES.reduce((sum, status) => sum + counts[status], 0) >= openMax;
}

function indexOf(filter: CaseFilter): CaseIndex {
  if (filter.run_id !== undefined) return { kind: "run", runId: filter.run_id };
  if (filter.fingerprint !== undefined) return { kind: "group", fingerprint: filter.fingerprint };
  if (filter.status !== undefined) return { kind: "status", status: filter.status };
  return { kind: "all" };
}

function matches(one: WardCase, filter: CaseFilter): boolean {
  if (filter.status !== undefined && one.status !== filter.status) return false;
  if (filter.fingerprint !== undefined && one.fingerprint !== filter.fingerprint) return false;
  if (filter.agent !== undefined && one.agent !== filter.agent) return false;
  if (filter.failure_class !== undefined && one.failure_class !== filter.failure_class) return false;
  if (filter.text === undefined) return true;
  const words = [
    one.case_id,
    one.message_id,
    one.run_id,
    one.team,
    one.agent,
    one.contract,
    one.diagnosis ?? "",
  ];
  return words.join("\n").toLowerCase().includes(filter.text.toLowerCase());
}
