import { writeFileSync } from "node:fs";
import { reportBeside, reportTrust } from "./beside/report.ts";
import { tableChain } from "./chain/table-chain.ts";
import { measureCrossing, tableCrossing } from "./crossing.ts";
import { runChain } from "./chain/run-chain.ts";
import { QUICK_SETTINGS, SETTINGS } from "./chain/settings.ts";
import { measurePeers, PEERS_SETTINGS, QUICK_PEERS_SETTINGS } from "./peers/measure.ts";
import { tablePeers } from "./peers/table-peers.ts";
import { reportRecovery } from "./recovery/report.ts";
import { HOSTILE_SETTINGS, measureHostile, QUICK_HOSTILE_SETTINGS } from "./repair/hostile/measure.ts";
import { tableHostile } from "./repair/hostile/table-hostile.ts";
import { printRepairReport } from "./repair/print-repair-report.ts";
import { proveAnswers } from "./repair/proof/prove-answers.ts";
import { tableProof } from "./repair/proof/table-proof.ts";
import { scoreRepairers } from "./repair/score-repairers.ts";
import { measureScaling, QUICK_SCALING_SETTINGS, SCALING_SETTINGS } from "./scaling/measure.ts";
import { tableScaling } from "./scaling/table-scaling.ts";
import { printTables } from "./print-table.ts";
import { measureWard, QUICK_WARD_SETTINGS, WARD_SETTINGS } from "./ward/measure.ts";
import { tableWard } from "./ward/table-ward.ts";
import { withRedis } from "./with-redis.ts";

export interface BenchmarkOptions {
  readonly isQuick: boolean;
  /** File for the damaged answers of the development split that first aid did not get. */
  readonly failures: string | undefined;
  /** Folder of another checkout, for what measures beside it. */
  readonly checkout: string | undefined;
  /** Hears of progress. */
  readonly say: (line: string) => void;
}

export interface Benchmark {
  /** One line for a person. */
  readonly about: string;
  /** Measures, prints, and gives what `--json` writes under its name. */
  readonly run: (options: BenchmarkOptions) => Promise<unknown>;
}

/** Every benchmark, in the order of `all`. */
export const BENCHMARKS = {
  chain: {
    about: "the price of a hop: three agents beside raw BullMQ, with and without a replica",
    async run({ isQuick, say }: BenchmarkOptions) {
      const report = await runChain(isQuick ? QUICK_SETTINGS : SETTINGS, say);
      printTables(tableChain(report));
      return report;
    },
  },
  beside: {
    about: "the same chain by this checkout and by another one, in turns: --checkout FOLDER",
    run: reportBeside,
  },
  trust: {
    about: "the same chain by isolated agents with a relay, beside agents of one trust domain",
    run: reportTrust,
  },
  peers: {
    about: "the same chain as DBOS, LangGraph and Restate do it; installs them when first asked",
    async run({ isQuick, say }: BenchmarkOptions) {
      const report = await measurePeers(isQuick ? QUICK_PEERS_SETTINGS : PEERS_SETTINGS, say);
      printTables(tablePeers(report));
      return report;
    },
  },
  scaling: {
    about: "one worker process and two",
    async run({ isQuick, say }: BenchmarkOptions) {
      const settings = isQuick ? QUICK_SCALING_SETTINGS : SCALING_SETTINGS;
      const report = await withRedis({ say }, (url) => measureScaling(settings, { url, say }));
      printTables(tableScaling(report));
      return report;
    },
  },
  recovery: {
    about: "how soon another process takes over from one that was killed",
    run: ({ isQuick, say }: BenchmarkOptions) =>
      withRedis({ say }, (url) => reportRecovery(url, { kills: isQuick ? 3 : 10, say })),
  },
  ward: {
    about:
      "10,000 dead messages of one fault, and then as many again: one model call, and the rest by its recipe",
    async run({ isQuick, say }: BenchmarkOptions) {
      const settings = isQuick ? QUICK_WARD_SETTINGS : WARD_SETTINGS;
      const report = await withRedis({ say }, (url) => measureWard(settings, { url, say }));
      printTables(tableWard(report));
      return report;
    },
  },
  crossing: {
    about: "a message between clusters: bytes and time by A2A's JSON-RPC and gRPC, with and without a seal",
    async run({ isQuick }: BenchmarkOptions) {
      const rows = measureCrossing({ isQuick });
      printTables(tableCrossing(rows));
      return { rows };
    },
  },
  repair: {
    about: "first aid beside the npm peers, on damaged answers by split; --failures FILE",
    async run({ failures: file }: BenchmarkOptions) {
      const { report, failures } = await scoreRepairers();
      printRepairReport(report);
      if (file !== undefined) writeFileSync(file, `${JSON.stringify(failures, null, 1)}\n`);
      return report;
    },
  },
  proof: {
    about: "the surgeon's proof over first aid's wrong and right answers, by split; --failures FILE",
    async run({ failures: file }: BenchmarkOptions) {
      const { splits, failures } = await proveAnswers();
      printTables(tableProof(splits));
      if (file !== undefined) writeFileSync(file, `${JSON.stringify(failures, null, 1)}\n`);
      return { splits };
    },
  },
  hostile: {
    about: "CPU time of first aid on hostile and on large honest texts, and how it grows with their length",
    async run({ isQuick, say }: BenchmarkOptions) {
      const settings = isQuick ? QUICK_HOSTILE_SETTINGS : HOSTILE_SETTINGS;
      const rows = measureHostile(settings, say);
      printTables(tableHostile(rows, settings));
      return { sizes: settings.sizes, rows };
    },
  },
} satisfies Record<string, Benchmark>;

export type BenchmarkName = keyof typeof BENCHMARKS;
