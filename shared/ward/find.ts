import type { FailureClass } from "#shared/errors";
import type { Store } from "#shared/store";
import { OPEN_CASE_STATUSES } from "#shared/store/cases";
import type { CaseIndex, CaseStatus } from "#shared/store/cases";
import { toCaseDetail, toWardCase } from "./ward-case.ts";
import type { CaseDetail, WardCase } from "./ward-case.ts";

/** Filters of a case search; all given ones must match. */
export interface CaseFilter {
  readonly status?: CaseStatus;
  /** One of which it has. */
  readonly statuses?: readonly CaseStatus[];
  readonly fingerprint?: string;
  readonly run_id?: string;
  readonly agent?: string;
  readonly contract?: string;
  /** Names of teams, one of which has it. */
  readonly teams?: readonly string[];
  readonly failure_class?: FailureClass;
  /** Matched case-insensitively in ids, names, failure class, group, diagnosis or proposer, without wildcards. */
  readonly text?: string;
}

/** Maximum cases read for one page; a page may be short and still have a cursor. */
const SEARCHED_MAX = 1000;
const PAGE = 100;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface FoundCases {
  readonly cases: WardCase[];
  /** Cursor of the next page; null at the end. */
  readonly cursor: string | null;
  /** Cases read for this page. */
  readonly searched: number;
  /** Cases that a complete search would read. */
  readonly total: number;
}

interface CasesAsked {
  readonly filter: CaseFilter;
  readonly cursor?: string | null;
  readonly limit: number;
}

/** Returns a page of cases, newest first. A search reads up to 1,000 cases per page, and continues at `cursor`. */
export async function findCases(store: Store, asked: CasesAsked): Promise<FoundCases> {
  const { filter, limit } = asked;
  const index = await indexOf(store, filter);
  const total = await store.cases.sizeOf(index);
  const named = await findNamed(store, filter);
  if (named !== null) return { cases: [named], cursor: null, searched: 1, total };
  const read = async (at: string | null, pageSize: number) => {
    const page = await store.cases.list(index, { cursor: at, limit: pageSize });
    return { ...page, met: page.cases.map(toWardCase).filter((one) => matches(one, filter)) };
  };
  const cases: WardCase[] = [];
  let cursor = asked.cursor ?? null;
  let searched = 0;
  while (searched < SEARCHED_MAX && cases.length < limit) {
    const wanted = limit - cases.length;
    let page = await read(cursor, Math.min(searched === 0 ? limit : PAGE, PAGE, SEARCHED_MAX - searched));
    while (page.met.length > wanted) {
      // Reads again up to the last wanted case, so that the cursor never skips one.
      const last = page.met[wanted - 1]?.case_id;
      page = await read(cursor, page.cases.findIndex((one) => one.case_id === last) + 1);
    }
    cases.push(...page.met);
    searched += page.searched;
    cursor = page.cursor;
    if (cursor === null) break;
  }
  return { cases, cursor, searched, total };
}

/** Returns the case whose full id was searched for, if it matches the other filters; null if the text is no case id. */
async function findNamed(store: Store, filter: CaseFilter): Promise<WardCase | null> {
  if (filter.text === undefined || !UUID.test(filter.text)) return null;
  const stored = await store.cases.findHead(filter.text.toLowerCase());
  const found = stored === null ? null : toWardCase(stored);
  return found !== null && matches(found, filter) ? found : null;
}

/** Returns a case with its messages and operations. @throws {NotFoundError} */
export async function getCase(store: Store, caseId: string): Promise<CaseDetail> {
  return toCaseDetail(await store.cases.get(caseId));
}

/** Returns true if the ward has reached its limit of open cases: the gateway then refuses new tasks (backpressure). */
export async function wardIsFull(store: Store, openMax: number): Promise<boolean> {
  // A shard that is away stops no new task of the others.
  const each = await Promise.all(store.awake.map(({ cases }) => cases.counts()));
  const open = each.flatMap((counts) => OPEN_CASE_STATUSES.map((status) => counts[status]));
  return open.reduce((sum, count) => sum + count, 0) >= openMax;
}

/** Returns the smallest index with all cases that can match. A full run id is searched in that run. */
async function indexOf(store: Store, filter: CaseFilter): Promise<CaseIndex> {
  if (filter.run_id !== undefined) return { kind: "run", runId: filter.run_id };
  if (filter.fingerprint !== undefined) return { kind: "group", fingerprint: filter.fingerprint };
  if (filter.text !== undefined && UUID.test(filter.text)) {
    const run = { kind: "run", runId: filter.text.toLowerCase() } as const;
    if ((await store.cases.sizeOf(run)) > 0) return run;
  }
  if (filter.status !== undefined) return { kind: "status", status: filter.status };
  return { kind: "all" };
}

/** Filters that name a value. */
const EQUAL = ["status", "fingerprint", "agent", "contract", "failure_class"] as const;

function matches(one: WardCase, filter: CaseFilter): boolean {
  if (EQUAL.some((name) => filter[name] !== undefined && filter[name] !== one[name])) return false;
  if (filter.statuses?.includes(one.status) === false) return false;
  if (filter.teams?.includes(one.team) === false) return false;
  if (filter.text === undefined) return true;
  const words = [
    one.case_id,
    one.message_id,
    one.run_id,
    one.team,
    one.agent,
    one.contract,
    one.fingerprint,
    one.failure_class,
    one.failure_class.replaceAll("_", " "),
    one.diagnosis ?? "",
    one.proposal === null ? "" : `proposed by ${one.proposal.by}`,
  ];
  return words.join("\n").toLowerCase().includes(filter.text.toLowerCase());
}
