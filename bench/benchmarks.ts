import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { measureChain } from "./chain/measure.ts";
import { compare } from "./chain/report.ts";
import { PEERS_SETTINGS, QUICK_PEERS_SETTINGS, QUICK_SETTINGS, SETTINGS } from "./chain/settings.ts";
import { tableChain, tableRatios, tableShards } from "./chain/table-chain.ts";
import { measureCrossing, tableCrossing } from "./crossing.ts";
import { PAYLOAD_BYTES } from "./peer/payload.ts";
import { measurePeers } from "./peers/measure.ts";
import { ANCHOR_ROW, OWN_ROW, shardsRow } from "./peers/peers.ts";
import { tablePeers } from "./peers/table-peers.ts";
import { printTables } from "./print-table.ts";
import { scoreRepairers, tableKinds, tableRepair } from "./repair/score-repairers.ts";

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
    about: "the price of a hop: three agents beside raw BullMQ",
    async run({ isQuick, say }: BenchmarkOptions) {
      const settings = isQuick ? QUICK_SETTINGS : SETTINGS;
      const report = compare(await measureChain(settings, { anchor: ANCHOR_ROW, peer: OWN_ROW, say }));
      printTables(tableChain(report, settings));
      return { ...report, payload_bytes: PAYLOAD_BYTES, settings };
    },
  },
  beside: {
    about: "the same chain by this checkout and by another one, in turns: --checkout FOLDER",
    async run({ isQuick, checkout, say }: BenchmarkOptions) {
      if (checkout === undefined)
        throw new Error("Name the other checkout, its dependencies installed: --checkout FOLDER");
      const other = { ...OWN_ROW, title: "the other checkout", checkout: resolve(checkout) };
      const settings = isQuick ? QUICK_SETTINGS : SETTINGS;
      const report = compare(await measureChain(settings, { anchor: other, peer: OWN_ROW, say }));
      printTables([tableRatios("chain of three agents: this checkout by the other one", report)]);
      return report;
    },
  },
  shards: {
    about: "the same chain with its runs spread over 2 and 4 Redis, beside one",
    async run({ isQuick, say }: BenchmarkOptions) {
      const settings = isQuick ? QUICK_SETTINGS : SETTINGS;
      const reports = [];
      for (const peer of [shardsRow(2), shardsRow(4)])
        reports.push(compare(await measureChain(settings, { anchor: OWN_ROW, peer, say })));
      printTables(tableShards(reports));
      return reports;
    },
  },
  peers: {
    about: "the same chain as DBOS, LangGraph and Restate do it",
    async run({ isQuick, say }: BenchmarkOptions) {
      const report = await measurePeers(isQuick ? QUICK_PEERS_SETTINGS : PEERS_SETTINGS, say);
      printTables(tablePeers(report));
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
      printTables([tableRepair(report), tableKinds(report)]);
      if (file !== undefined) writeFileSync(file, `${JSON.stringify(failures, null, 1)}\n`);
      return report;
    },
  },
} satisfies Record<string, Benchmark>;

export type BenchmarkName = keyof typeof BENCHMARKS;
