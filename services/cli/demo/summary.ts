import { z } from "zod";
import type { Store } from "#shared/store";
import { OPEN_CASE_STATUSES } from "#shared/store/cases";
import { auditRuns } from "#shared/store/upkeep";
import { findCases, getCase } from "#shared/ward";
import type { CaseDetail } from "#shared/ward";
import type { ProcedureName } from "#shared/ward/moves";
import type { Team } from "#shared/runtime";
import { answerOf, openClient } from "../http/call-api.ts";
import type { Api, JsonOf } from "../http/call-api.ts";
import { persist } from "../http/persist.ts";
import type { Sent } from "./samples.ts";
import type { Stats } from "./watch-traffic.ts";
import { formatTable } from "../print/format-table.ts";

const PAGE = 200;
const TIMEOUT_MS = 10_000;

type RunLine = JsonOf<"listRuns">["runs"][number];

/** The events of a demo in figures: the form of `--json`. Costs in USD. */
export type PlayedSummary = Awaited<ReturnType<typeof summarise>> & {
  readonly seconds: number;
  /** Stand-ins answered in place of a model. */
  readonly rehearsal: boolean;
  readonly seed: number;
};
export type Figures = ReturnType<typeof count>;

export interface Gathered {
  readonly store: Store;
  readonly gateway: Api;
  readonly stats: Stats;
  readonly declared: readonly Team[];
  /** Samples that were answered with 202. */
  readonly sent: readonly Sent[];
  /** Address of the bundled server; null where it does not run. */
  readonly sandboxUrl: string | null;
  readonly signal: AbortSignal;
}

/** Adds up. Lost are tasks without record, an equation that differs, messages that no queue, inbox or case holds. */
export async function summarise(gathered: Gathered) {
  const { store, stats, sent, sandboxUrl } = gathered;
  const runs = await listRuns(gathered);
  const cases = await listCases(store);
  const lostRuns = await findLost(gathered, { runs, cases });
  const names = [...new Set(runs.map(({ team }) => team))].toSorted();
  const figures = (isOf: (one: { readonly team: string }) => boolean) => {
    const some = runs.filter(isOf);
    const lost = some.filter(({ run_id }) => lostRuns.has(run_id)).length;
    return count({ runs: some, cases: cases.filter(isOf), lost });
  };
  const teams = names.map((name) => [name, figures(({ team }) => team === name)] as const);
  const { submitted, completed, failed, cancelled, expired, waiting } = stats.equation;
  const unbalanced = Math.abs(submitted - completed - failed - cancelled - expired - waiting);
  const lost = Math.max(lostRuns.size, unbalanced, sent.length - submitted);
  return {
    ...figures(() => true),
    lost,
    submitted,
    completed,
    failed,
    cancelled,
    expired,
    waiting,
    teams: Object.fromEntries(teams),
    /** Waiting cases for which an invented value was proposed. */
    invented: cases.filter(waitsForInvented).length,
    /** Null where no sandbox runs. */
    payments: sandboxUrl === null ? null : await countPayments(sandboxUrl),
  };
}

/** Every run there is, as the gateway lists them. */
async function listRuns({ gateway, signal }: Gathered): Promise<RunLine[]> {
  const client = openClient(gateway);
  return collect(async (cursor) => {
    const query = { limit: PAGE, ...(cursor === null ? {} : { cursor }) };
    const call = () => answerOf(client.GET("/v1/runs", { params: { query }, signal }));
    const { runs, next_cursor } = await persist(call, signal);
    return { rows: runs, cursor: next_cursor };
  });
}

/** Every case of the ward with all that was done to it. */
async function listCases(store: Store): Promise<CaseDetail[]> {
  const all = await collect(async (cursor) => {
    const { cases, cursor: next } = await findCases(store, { filter: {}, cursor, limit: PAGE });
    return { rows: cases, cursor: next };
  });
  return Promise.all(all.map(({ case_id }) => getCase(store, case_id)));
}

async function collect<Row>(
  read: (cursor: string | null) => Promise<{ readonly rows: readonly Row[]; readonly cursor: string | null }>,
): Promise<Row[]> {
  const all: Row[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: Awaited<ReturnType<typeof read>> = await read(cursor ?? null);
    all.push(...page.rows);
    ({ cursor } = page);
  }
  return all;
}

/** Returns what healed a case last; null: nothing yet, or it died again since. */
function healerOf({ status, history }: CaseDetail): ProcedureName | null {
  if (status !== "discharged" && status !== "released") return null;
  const attempts = history.flatMap((one) => one.attempts);
  return attempts.findLast(({ outcome }) => outcome === "healed")?.procedure ?? null;
}

/** Returns whether a case waits for a person because a proposed value was invented. */
function waitsForInvented({ status, history }: CaseDetail): boolean {
  const objections = history.flatMap(({ attempts }) => attempts).flatMap((attempt) => attempt.objections);
  return status === "quarantined" && objections.some(({ code }) => code === "invented");
}

const refundsSchema = z.object({ refunds: z.array(z.object({ order_id: z.string() })) });

/** Counts refunds in the sandbox's own records, and names orders that were paid back more than once. */
async function countPayments(sandboxUrl: string) {
  const reply = await fetch(`${sandboxUrl}/sandbox/payments/refunds`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const { refunds } = refundsSchema.parse(await reply.json());
  const byOrder = Map.groupBy(refunds, ({ order_id }) => order_id.toUpperCase());
  const twice = [...byOrder].filter(([, paid]) => paid.length > 1).map(([id]) => id);
  return { refunds: refunds.length, paid_twice: twice };
}

async function findLost(
  { store, sent }: Gathered,
  { runs, cases }: { readonly runs: readonly RunLine[]; readonly cases: readonly CaseDetail[] },
): Promise<Set<string>> {
  const open = cases.filter(({ status }) => OPEN_CASE_STATUSES.includes(status));
  const held = new Set(open.map(({ message_id }) => message_id));
  const audit = await auditRuns(store, async (messageId) => held.has(messageId));
  const known = new Set(runs.map(({ run_id }) => run_id));
  const absent = sent.filter(({ run_id }) => !known.has(run_id));
  return new Set([...audit.lost, ...absent].map(({ run_id }) => run_id));
}

function count(counted: {
  readonly runs: readonly RunLine[];
  readonly cases: readonly CaseDetail[];
  readonly lost: number;
}) {
  const { runs, cases, lost } = counted;
  const of = (status: RunLine["status"]): number => runs.filter((run) => run.status === status).length;
  const [completed, failed] = [of("completed"), of("failed")];
  const [cancelled, expired] = [of("cancelled"), of("expired")];
  const healers = cases.map(healerOf);
  const healedBy = (healer: ProcedureName): number => healers.filter((one) => one === healer).length;
  const cost = runs.reduce((sum, run) => sum + run.billing.cost_so_far, 0);
  return {
    submitted: runs.length,
    completed,
    failed,
    cancelled,
    expired,
    waiting: runs.length - completed - failed - cancelled - expired,
    lost,
    /** Dead messages that became cases. */
    cases: cases.length,
    /** Cases by who healed them. */
    repaired: {
      recipe: healedBy("recipe"),
      first_aid: healedBy("first_aid"),
      model: healedBy("strong_model"),
      person: healedBy("person"),
    },
    /** Cases that wait for a person. */
    quarantined: cases.filter(({ status }) => status === "quarantined").length,
    cost: Math.round(cost * 1_000_000) / 1_000_000,
  };
}

type Columns = readonly (readonly [head: string, read: (figures: Figures) => number | string])[];

const RUNS: Columns = [
  ...(["submitted", "completed", "failed", "expired", "cancelled", "waiting", "lost"] as const).map(
    (name) => [name, (one: Figures) => one[name]] as const,
  ),
  ["cost", (one) => usd(one.cost)],
];

const CASES: Columns = [
  ["cases", (one) => one.cases],
  ["recipe", ({ repaired }) => repaired.recipe],
  ["first aid", ({ repaired }) => repaired.first_aid],
  ["model", ({ repaired }) => repaired.model],
  ["person", ({ repaired }) => repaired.person],
  ["wait for a person", (one) => one.quarantined],
];

/** The end of the demo, for people. */
export function printSummary(summary: PlayedSummary): string {
  const { invented, payments, seconds, rehearsal, seed, lost, cost } = summary;
  const rows = [...Object.entries(summary.teams), ["all", summary] as const];
  const table = (columns: Columns): string =>
    formatTable(
      ["team", ...columns.map(([head]) => head)],
      rows.map(([team, figures]) => [team, ...columns.map(([, read]) => String(read(figures)))]),
    );
  const paid =
    payments === null
      ? []
      : payments.paid_twice.length === 0
        ? [`The payment system made ${payments.refunds} refunds, each order at most once.`]
        : [`PAID TWICE: orders ${payments.paid_twice.join(", ")}.`];
  return [
    "",
    "SUMMARY",
    table(RUNS),
    "suture eval measures how many of the completed are right.",
    "",
    table(CASES),
    "",
    `Of the cases that wait for a person, ${invented} wait because a value would have been invented.`,
    ...paid,
    `Took ${seconds} s, cost ${usd(cost)}${rehearsal ? ` as if a model had answered (REHEARSAL, seed ${seed})` : ""}.`,
    lost === 0 ? "Nothing was lost: every task has ended or waits for a person." : `LOST: ${lost}.`,
  ].join("\n");
}

function usd(amount: number): string {
  return `$${amount.toFixed(4)}`;
}
