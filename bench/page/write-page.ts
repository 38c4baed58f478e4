import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ChainReport } from "../chain/report.ts";
import { tableChain } from "../chain/table-chain.ts";
import type { PeersReport } from "../peers/measure.ts";
import { tablePeers } from "../peers/table-peers.ts";
import { toMarkdown } from "../print-table.ts";
import type { Table } from "../print-table.ts";
import { tableRepair } from "../repair/score-repairers.ts";
import type { RepairReport } from "../repair/score-repairers.ts";

/** When and how one benchmark was run. */
export interface Measurement {
  /** ISO 8601. */
  readonly measured_at: string;
  readonly is_quick: boolean;
  /** Of the machine, over the last minute. More than its cores: others were busy on it. */
  readonly load_average_before: number;
  readonly load_average_after: number;
  readonly machine: {
    readonly cpus: number;
    readonly model: string;
    readonly memory_gib: number;
    readonly node: string;
  };
}

/** Figures of all benchmarks: the output of `--json`, and the source of the page. */
export interface Results {
  readonly measurements: Readonly<Record<string, Measurement>>;
  readonly chain?: ChainReport;
  readonly peers?: PeersReport;
  readonly repair?: RepairReport;
}

const fileOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const JSON_FILE = "docs/performance.json";
const PAGE = "docs/performance.md";
const LIBRARY_PAGE = "shared/repair/library/README.md";
const BEGIN = "<!-- figures -->";
const END = "<!-- end of figures -->";

/** Lays results over those that were published before and writes docs/performance.json and .md anew. */
export function publish(results: Results): void {
  // Written by this function alone.
  const before = JSON.parse(readFileSync(fileOf(JSON_FILE), "utf8")) as Results;
  const measurements = { ...before.measurements, ...results.measurements };
  const merged: Results = { ...before, ...results, measurements };
  writeFileSync(fileOf(JSON_FILE), `${JSON.stringify(merged, null, 2)}\n`);
  replaceIn(PAGE, formatFigures(merged));
  if (merged.repair !== undefined) replaceIn(LIBRARY_PAGE, toMarkdown(tableRepair(merged.repair)));
}

function replaceIn(page: string, figures: string): void {
  writeFileSync(fileOf(page), replaceFigures(readFileSync(fileOf(page), "utf8"), figures));
}

/** All figures as Markdown, each benchmark with the time and the load of its measuring. */
function formatFigures({ measurements, chain, peers, repair }: Results): string {
  const section = (name: string, heading: string, tables: readonly Table[]): string[] => [
    `### ${heading}`,
    describeMeasurement(measurements[name]),
    ...tables.map(toMarkdown),
  ];
  return [
    "All of it as JSON: [performance.json](performance.json).",
    ...(peers === undefined ? [] : section("peers", "Beside durable engines", tablePeers(peers))),
    ...(chain === undefined ? [] : section("chain", "The price of a hop", tableChain(chain))),
    ...(repair === undefined ? [] : section("repair", "First aid beside its peers", [tableRepair(repair)])),
  ].join("\n\n");
}

function describeMeasurement(measurement: Measurement | undefined): string {
  if (measurement === undefined) return "";
  const { measured_at: at, is_quick: isQuick, machine } = measurement;
  const load = [measurement.load_average_before, measurement.load_average_after].map((each) =>
    each.toFixed(1),
  );
  const warning = isQuick ? " A quick run: its figures show that all is well, and no more." : "";
  const on = `${machine.cpus} cores (${machine.model || "model not told"}), ${machine.memory_gib} GiB, Node ${machine.node}`;
  const when = at.slice(0, 16).replace("T", " ");
  return `Measured ${when} UTC on ${on}; load average ${load.join(" before and ")} after.${warning}`;
}

/** Puts figures between the page's marks. @throws {Error} It has none. */
export function replaceFigures(page: string, figures: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`the page lacks its marks ${BEGIN} and ${END}`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${figures}\n\n${page.slice(end)}`;
}
