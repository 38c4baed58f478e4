import type { Store } from "#shared/store";
import { OPEN_CASE_STATUSES } from "#shared/store/cases";
import { auditRuns } from "#shared/store/upkeep";
import type { CaseDetail } from "#shared/ward";
import type { Team } from "#shared/runtime";
import { countAnswers, judgeAnswer } from "./count-answers.ts";
import type { Answers, Labels, Verdict } from "./count-answers.ts";
import type { Payments } from "./count-payments.ts";
import { HEALERS, healerOf, listCases, waitsForInvented } from "./list-cases.ts";
import type { Healer } from "./list-cases.ts";
import type { RunLine } from "./list-runs.ts";
import type { Sent } from "./send-traffic.ts";
import type { Stats } from "./snapshot.ts";

/** Counts of runs by outcome; `cost` in USD. */
export interface Figures {
  readonly submitted: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly expired: number;
  readonly waiting: number;
  readonly lost: number;
  /** Dead messages that became cases. */
  readonly cases: number;
  /** Cases by who healed them. */
  readonly repaired: Readonly<Record<Healer, number>>;
  /** Cases that wait for a person. */
  readonly quarantined: number;
  /** What the completed runs came to, for those that the demo sent. */
  readonly answers: Answers;
  readonly cost: number;
}

/** What `--json` writes. */
export interface Summary extends Figures {
  readonly seconds: number;
  readonly teams: Readonly<Record<string, Figures>>;
  /** Waiting cases for which an invented value was proposed. */
  readonly invented: number;
  /** Null where no sandbox runs. */
  readonly payments: Payments | null;
  /** True: the bundled stand-ins answered in place of a model. */
  readonly rehearsal: boolean;
  readonly seed: number;
}

export interface Gathered {
  readonly store: Store;
  readonly stats: Stats;
  readonly runs: readonly RunLine[];
  readonly declared: readonly Team[];
  readonly labels: Labels;
  /** Samples that were answered with 202. */
  readonly sent: readonly Sent[];
  readonly payments: Payments | null;
  readonly seconds: number;
  readonly rehearsal: boolean;
  readonly seed: number;
}

/**
 * Adds up what happened. What is lost is looked for in three ways: accepted tasks without a record, an equation that
 * does not balance, and open messages that no queue, outbox or case holds.
 */
export async function summarise(gathered: Gathered): Promise<Summary> {
  const { store, stats, runs, sent, seconds, payments, rehearsal, seed } = gathered;
  const cases = await listCases(store);
  const verdicts = await judgeAll(gathered);
  const lostRuns = await findLost(gathered, cases);
  const names = [...new Set(runs.map(({ team }) => team))].toSorted();
  const teams = names.map((team) => {
    const ofTeam = runs.filter((run) => run.team === team);
    const lost = ofTeam.filter(({ run_id }) => lostRuns.has(run_id)).length;
    const ofCases = cases.filter((one) => one.team === team);
    return [team, count({ runs: ofTeam, cases: ofCases, lost, verdicts })] as const;
  });
  const { submitted, completed, failed, cancelled, expired, waiting } = stats.equation;
  const unbalanced = Math.abs(submitted - completed - failed - cancelled - expired - waiting);
  const uncounted = Math.max(0, sent.length - submitted);
  const all = count({ runs, cases, lost: Math.max(lostRuns.size, unbalanced, uncounted), verdicts });
  const equation = { submitted, completed, failed, cancelled, expired, waiting };
  return {
    ...all,
    ...equation,
    seconds: Math.round(seconds * 10) / 10,
    teams: Object.fromEntries(teams),
    invented: cases.filter(waitsForInvented).length,
    payments,
    rehearsal,
    seed,
  };
}

/** Returns what the results of the demo's completed runs are worth, by run. */
async function judgeAll({ store, runs, declared, labels, sent }: Gathered): Promise<Map<string, Verdict>> {
  const completed = new Set(runs.filter(({ status }) => status === "completed").map(({ run_id }) => run_id));
  const verdicts = new Map<string, Verdict>();
  for (const { sample, run_id } of sent) {
    if (!completed.has(run_id)) continue;
    const { result } = await store.runs.get(run_id);
    const team = declared.find(({ name }) => name === sample.team);
    verdicts.set(run_id, judgeAnswer({ sample, result }, { team, labels }));
  }
  return verdicts;
}

async function findLost({ store, runs, sent }: Gathered, cases: readonly CaseDetail[]): Promise<Set<string>> {
  const held = new Set(
    cases.filter(({ status }) => OPEN_CASE_STATUSES.includes(status)).map(({ message_id }) => message_id),
  );
  const audit = await auditRuns(store, async (messageId) => held.has(messageId));
  const known = new Set(runs.map(({ run_id }) => run_id));
  return new Set([
    ...audit.lost.map(({ run_id }) => run_id),
    ...sent.map(({ run_id }) => run_id).filter((id) => !known.has(id)),
  ]);
}

interface Counted {
  readonly runs: readonly RunLine[];
  readonly cases: readonly CaseDetail[];
  readonly lost: number;
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

const ENDS = ["completed", "failed", "cancelled", "expired"] as const;

function count({ runs, cases, lost, verdicts }: Counted): Figures {
  const of = (status: string): number => runs.filter((run) => run.status === status).length;
  const [completed, failed, cancelled, expired] = [
    of("completed"),
    of("failed"),
    of("cancelled"),
    of("expired"),
  ];
  const healers = cases.map(healerOf);
  const healedBy = (healer: Healer): number => healers.filter((one) => one === healer).length;
  const cost = runs.reduce((sum, run) => sum + run.billing.cost_so_far, 0);
  return {
    submitted: runs.length,
    completed,
    failed,
    cancelled,
    expired,
    waiting: runs.length - ENDS.reduce((sum, status) => sum + of(status), 0),
    lost,
    cases: cases.length,
    // Every healer has its entry, also where it healed nothing.
    repaired: Object.fromEntries(HEALERS.map((healer) => [healer, healedBy(healer)])) as Record<
      Healer,
      number
    >,
    quarantined: cases.filter(({ status }) => status === "quarantined").length,
    answers: countAnswers(runs.flatMap(({ run_id }) => verdicts.get(run_id) ?? [])),
    cost: Math.round(cost * 1_000_000) / 1_000_000,
  };
}
