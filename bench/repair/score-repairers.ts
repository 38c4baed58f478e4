import { isDeepStrictEqual } from "node:util";
import { firstAid } from "#shared/repair";
import { validate } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { quantile } from "../quantile.ts";
import { allCases } from "./all-cases.ts";
import { isHeldOut } from "./case.ts";
import type { Case } from "./case.ts";
import { isJson, loadPeers } from "./load-peers.ts";
import type { Repair } from "./load-peers.ts";

type Verdict = "exact" | "wrong" | "refused";

/** Shares of the cases looked at, 0 to 1. */
interface Shares {
  readonly cases: number;
  readonly exact: number;
  readonly wrong: number;
  readonly refused: number;
}

/** How one repairer did on the held-out cases. */
export interface RepairScore extends Shares {
  readonly repairer: string;
  readonly p50_us: number;
  readonly p99_us: number;
}

export interface RepairReport extends Shares {
  /** Exact answers of first aid by those of the best peer, in the same run; null where none is installed. */
  readonly ratio_to_peer: number | null;
  /** First aid first, then every peer that is installed. */
  readonly scores: readonly RepairScore[];
  readonly not_installed: readonly string[];
  /** First aid by class of damage, on the cases that are not held out. */
  readonly classes: Readonly<Record<string, Shares>>;
  /** Ids and verdicts of the cases that are not held out and not exact. */
  readonly failures: readonly string[];
}

/** Lets every repairer try the same cases; the same for the same seed. A warm-up run comes first. */
export async function scoreRepairers(seed: number): Promise<RepairReport> {
  const cases = allCases(seed);
  const heldOut = cases.filter(isHeldOut);
  const ours: Repair = (input, schema) => {
    const result = firstAid(input, schema);
    return result.ok ? result.value : undefined;
  };
  const peers = await loadPeers();
  const scores: RepairScore[] = [];
  for (const { name, repair } of [{ name: "first aid", repair: ours }, ...peers])
    if (repair !== undefined) scores.push(await score(heldOut, { name, repair }));
  const judged: { case: Case; verdict: Verdict }[] = [];
  for (const one of cases.filter((other) => !isHeldOut(other)))
    judged.push({ case: one, verdict: judge(one, await attempt(ours, one)) });
  const [first, ...others] = scores;
  const best = others.reduce((most, one) => Math.max(most, one.exact), 0);
  const byClass = Object.entries(Object.groupBy(judged, (one) => one.case.class));
  return {
    cases: first?.cases ?? 0,
    exact: first?.exact ?? 0,
    wrong: first?.wrong ?? 0,
    refused: first?.refused ?? 0,
    ratio_to_peer: best === 0 ? null : (first?.exact ?? 0) / best,
    scores,
    not_installed: peers.filter((peer) => peer.repair === undefined).map((peer) => peer.name),
    classes: Object.fromEntries(
      byClass.map(([name, some]) => [name, shares((some ?? []).map((one) => one.verdict))]),
    ),
    failures: judged.filter((one) => one.verdict !== "exact").map((one) => `${one.verdict}: ${one.case.id}`),
  };
}

async function score(
  cases: readonly Case[],
  { name, repair }: { readonly name: string; readonly repair: Repair },
): Promise<RepairScore> {
  for (const one of cases.slice(0, 300)) await attempt(repair, one);
  const verdicts: Verdict[] = [];
  const micros: number[] = [];
  for (const one of cases) {
    const startedAt = performance.now();
    const answer = await attempt(repair, one);
    micros.push((performance.now() - startedAt) * 1000);
    verdicts.push(judge(one, answer));
  }
  return {
    repairer: name,
    ...shares(verdicts),
    p50_us: quantile(micros, 0.5),
    p99_us: quantile(micros, 0.99),
  };
}

/** A repairer's answer, held against the schema as every caller must; undefined where it refuses or throws. */
async function attempt(repair: Repair, { input, schema }: Case): Promise<JsonValue | undefined> {
  try {
    const given = repair(input, schema);
    const answer = given instanceof Promise ? await given : given;
    if (!isJson(answer)) return undefined;
    return schema === undefined || validate(answer, schema).length === 0 ? answer : undefined;
  } catch {
    return undefined;
  }
}

function judge({ right }: Case, answer: JsonValue | undefined): Verdict {
  if (answer === undefined) return "value" in right ? "refused" : "exact";
  return "value" in right && isDeepStrictEqual(answer, right.value) ? "exact" : "wrong";
}

function shares(verdicts: readonly Verdict[]): Shares {
  const share = (verdict: Verdict): number =>
    verdicts.filter((one) => one === verdict).length / Math.max(1, verdicts.length);
  return { cases: verdicts.length, exact: share("exact"), wrong: share("wrong"), refused: share("refused") };
}
