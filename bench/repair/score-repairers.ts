import { firstAid } from "#shared/repair";
import { isHeldOut, ownCases } from "./case.ts";
import { scoreCorpus } from "./score-corpus.ts";
import type { CorpusFailure, CorpusReport, JudgedPeer } from "./score-corpus.ts";
import { judgeAll, scoreOf, sharesBy } from "./judge-answers.ts";
import type { RepairScore, Shares } from "./judge-answers.ts";
import { PeerJudge } from "./judge-peers.ts";
import { arePeersInstalled, PEER_NAMES } from "./load-peers.ts";
import type { Repairer } from "./repairer.ts";

/** The own cases on top; the corpus below. */
export interface RepairReport extends Shares {
  /** Exact answers of first aid by those of the best peer, in the same run; null where none is installed. */
  readonly ratio_to_peer: number | null;
  /** First aid first, then every peer that is installed. */
  readonly scores: readonly RepairScore[];
  readonly not_installed: readonly string[];
  /** First aid by class of damage, on the own cases that are not held out. */
  readonly classes: Readonly<Record<string, Shares>>;
  /** Ids and verdicts of the own cases that are not held out and not exact. */
  readonly failures: readonly string[];
  readonly corpus: CorpusReport;
}

const OURS: Repairer = {
  name: "first aid",
  repair: (input, schema) => {
    const result = firstAid(input, schema);
    return result.ok ? result.value : undefined;
  },
};

/** Lets every repairer try the same cases. */
export async function scoreRepairers(): Promise<{ report: RepairReport; failures: CorpusFailure[] }> {
  const judge = new PeerJudge();
  const peers = (arePeersInstalled() ? PEER_NAMES : []).map((name): JudgedPeer => ({
    name,
    judge: (cases) => judge.judge(name, cases),
  }));
  const { report: corpus, failures } = await scoreCorpus([OURS, ...peers]);
  const cases = ownCases();
  const heldOut = cases.filter(isHeldOut);
  const ours = scoreOf(OURS.name, await judgeAll(heldOut, OURS.repair));
  const theirs: RepairScore[] = [];
  for (const peer of peers) theirs.push(scoreOf(peer.name, await peer.judge(heldOut)));
  judge.close();
  const known = await judgeAll(
    cases.filter((one) => !isHeldOut(one)),
    OURS.repair,
  );
  const best = Math.max(0, ...theirs.map((one) => one.exact));
  const { exact, wrong, refused } = ours;
  const report = {
    cases: heldOut.length,
    exact,
    wrong,
    refused,
    ratio_to_peer: best === 0 ? null : exact / best,
    scores: [ours, ...theirs],
    not_installed: peers.length === 0 ? PEER_NAMES : [],
    classes: sharesBy(known, (one) => one.class),
    failures: known.filter((one) => one.verdict !== "exact").map((one) => `${one.verdict}: ${one.case.id}`),
    corpus,
  };
  return { report, failures };
}
