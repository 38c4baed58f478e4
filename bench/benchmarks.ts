import { writeFileSync } from "node:fs";
import { CROWD_SETTINGS, measureCrowd, QUICK_CROWD_SETTINGS } from "./attached/measure-crowd.ts";
import { measureOverhead, OVERHEAD_SETTINGS, QUICK_OVERHEAD_SETTINGS } from "./attached/measure-overhead.ts";
import { tableAttached } from "./attached/table-attached.ts";
import { reportBeside, reportTrust } from "./beside/report.ts";
import { tableChain } from "./chain/table-chain.ts";
import { runChain } from "./chain/run-chain.ts";
import { QUICK_SETTINGS, SETTINGS } from "./chain/settings.ts";
import { DEPTH_SETTINGS, measureDepth, QUICK_DEPTH_SETTINGS } from "./depth/measure.ts";
import { tableDepth } from "./depth/table-depth.ts";
import { measurePeers, PEERS_SETTINGS, QUICK_PEERS_SETTINGS } from "./peers/measure.ts";
import { tablePeers } from "./peers/table-peers.ts";
import { measureProfile, PROFILE_SETTINGS, QUICK_PROFILE_SETTINGS } from "./profile/measure.ts";
import { tableProfile } from "./profile/table-profile.ts";
import { reportRecovery } from "./recovery/report.ts";
import { HOSTILE_SETTINGS, measureHostile, QUICK_HOSTILE_SETTINGS } from "./repair/hostile/measure.ts";
import { tableHostile } from "./repair/hostile/table-hostile.ts";
import { printRepairReport } from "./repair/print-repair-report.ts";
import { proveAnswers } from "./repair/proof/prove-answers.ts";
import { tableProof } from "./repair/proof/table-proof.ts";
import { scoreRepairers } from "./repair/score-repairers.ts";
import { measureSpeed, QUICK_SPEED_SETTINGS, SPEED_SETTINGS } from "./repair/speed/measure.ts";
import { tableSpeed } from "./repair/speed/table-speed.ts";
import { measureScaling, QUICK_SCALING_SETTINGS, SCALING_SETTINGS } from "./scaling/measure.ts";
import { tableScaling } from "./scaling/table-scaling.ts";
import { printTables } from "./print-table.ts";
import { measureWard, QUICK_WARD_SETTINGS, WARD_SETTINGS } from "./ward/measure.ts";
import { tableWard } from "./ward/table-ward.ts";
import { measureWire, QUICK_WIRE_SETTINGS, WIRE_SETTINGS } from "./wire/measure.ts";
import { tableWire } from "./wire/table-wire.ts";
import { withRedis } from "./with-redis.ts";

export interface BenchmarkOptions {
  readonly isQuick: boolean;
  /** Of damages that are drawn. */
  readonly seed: number;
  /** Damaged answers of each kind. */
  readonly perKind: number;
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
  depth: {
    about: "a hop with 0, 10,000 and 100,000 messages waiting: speed, latency, memory",
    async run({ isQuick, say }: BenchmarkOptions) {
      const settings = isQuick ? QUICK_DEPTH_SETTINGS : DEPTH_SETTINGS;
      const report = await withRedis({ say }, (url) => measureDepth(settings, { url, say }));
      printTables(tableDepth(report));
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
  profile: {
    about: "where a hop's time goes: Node by room and package, Redis by command",
    async run({ isQuick, say }: BenchmarkOptions) {
      const settings = isQuick ? QUICK_PROFILE_SETTINGS : PROFILE_SETTINGS;
      const report = await withRedis({ say }, (url) => measureProfile(settings, url));
      printTables(tableProfile(report));
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
  attached: {
    about:
      "a ward on a BullMQ queue that runs anyway: its cost to jobs that succeed, and 100,000 failed jobs",
    async run({ isQuick, say }: BenchmarkOptions) {
      const [overheadOf, crowdOf] = isQuick
        ? [QUICK_OVERHEAD_SETTINGS, QUICK_CROWD_SETTINGS]
        : [OVERHEAD_SETTINGS, CROWD_SETTINGS];
      const overhead = await withRedis({ say }, (url) => measureOverhead(url, overheadOf));
      const crowd = await withRedis({ say }, (url) => measureCrowd(url, crowdOf, say));
      printTables(tableAttached({ overhead, crowd }));
      return { overhead, crowd };
    },
  },
  repair: {
    about:
      "first aid beside the npm peers, on damaged answers by split; --seed N, --per-kind N, --failures FILE",
    async run({ seed, perKind, failures: file }: BenchmarkOptions) {
      const { report, failures } = await scoreRepairers({ seed, perKind });
      printRepairReport(report);
      if (file !== undefined) writeFileSync(file, `${JSON.stringify(failures, null, 1)}\n`);
      return report;
    },
  },
  proof: {
    about:
      "the surgeon's proof over first aid's wrong and right answers, by split; --seed N, --per-kind N, --failures FILE",
    async run({ seed, perKind, failures: file }: BenchmarkOptions) {
      const { splits, failures } = await proveAnswers({ seed, perKind });
      printTables(tableProof(splits));
      if (file !== undefined) writeFileSync(file, `${JSON.stringify(failures, null, 1)}\n`);
      return { splits };
    },
  },
  speed: {
    about: "time of first aid on typical answers of 2 KB with one fault, beside jsonrepair",
    async run({ isQuick }: BenchmarkOptions) {
      const rows = await measureSpeed(isQuick ? QUICK_SPEED_SETTINGS : SPEED_SETTINGS);
      printTables([tableSpeed(rows)]);
      return { rows };
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
  wire: {
    about: "a message in JSON, packed JSON, protobuf, MessagePack and YAML: bytes and time, by size",
    async run({ isQuick, say }: BenchmarkOptions) {
      const rows = measureWire(isQuick ? QUICK_WIRE_SETTINGS : WIRE_SETTINGS, say);
      printTables(tableWire(rows));
      return { rows };
    },
  },
} satisfies Record<string, Benchmark>;

export type BenchmarkName = keyof typeof BENCHMARKS;
