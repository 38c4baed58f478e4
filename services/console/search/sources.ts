import { findUser, listRunSteps } from "#shared/api";
import { listRuns, viewRun } from "#shared/api/run-views";
import { OPEN_CASE_STATUSES } from "#shared/store/cases";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { ListedRun } from "#shared/store/runs";
import { findCases, getCase, toWardCase } from "#shared/ward";
import type { WardCase } from "#shared/ward";
import { seeRun } from "../ward/see-run.ts";
import type { Shown } from "../ward/see-run.ts";
import { viewCase } from "../ward/view-case.ts";
import type { Place } from "./text-index.ts";

/** A run or a case as lists have it. */
export interface Entry extends Place {
  readonly status: string;
  /** Changes with whatever may change its text. */
  readonly stamp: string;
  /** Whether its text may still change. */
  readonly isOpen: boolean;
}

/** Where runs or cases are found, the newest first. */
export interface Source {
  page(
    cursor: string | null,
    limit: number,
  ): Promise<{ readonly entries: readonly Entry[]; readonly cursor: string | null }>;
  /** As it is now; null: it is no more. */
  find(id: string): Promise<Entry | null>;
  /** All of it that a viewer may see. */
  see(id: string): Promise<unknown>;
}

/** Steps of a run whose values are read. */
const STEPS_MAX = 200;

export function runsOf(console: Shown): Source {
  const { store } = console;
  return {
    async page(cursor, limit) {
      const after = cursor === null ? {} : { cursor };
      const page = await listRuns(store, { limit, ...after, tenant: undefined, sees: () => true });
      return { entries: page.runs.map(entryOfRun), cursor: page.next_cursor };
    },
    async find(id) {
      const run = await store.runs.find(id);
      return run === null ? null : entryOfRun(run);
    },
    async see(id) {
      const seen = await seeRun(console, id, { seesInstructions: false });
      const { steps } = await listRunSteps(seen, { limit: STEPS_MAX });
      return [viewRun(seen.run, seen.events, { hasEvents: true }), steps, await findUser(seen)];
    },
  };
}

function entryOfRun({ run_id: id, team, created_ms: atMs, status }: ListedRun): Entry {
  return { kind: "run", id, team, atMs, status, stamp: status, isOpen: !ENDED_STATUSES.includes(status) };
}

export function casesOf(console: Shown): Source {
  return {
    async page(cursor, limit) {
      const page = await findCases(console.store, { filter: {}, cursor, limit });
      return { entries: page.cases.map(entryOfCase), cursor: page.cursor };
    },
    async find(id) {
      const stored = await console.store.cases.findHead(id);
      return stored === null ? null : entryOfCase(toWardCase(stored));
    },
    see: async (id) => viewCase(console, await getCase(console.store, id), null),
  };
}

function entryOfCase({ case_id: id, team, admitted_ms: atMs, status, version }: WardCase): Entry {
  return {
    kind: "case",
    id,
    team,
    atMs,
    status,
    stamp: String(version),
    isOpen: OPEN_CASE_STATUSES.includes(status),
  };
}
