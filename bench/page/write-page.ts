import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { toMarkdown } from "../print-table.ts";
import type { RepairReport } from "../repair/score-repairers.ts";
import { tableRepair } from "../repair/table-repair.ts";
import { drawBars } from "./draw-bars.ts";
import type { Bar } from "./draw-bars.ts";
import { formatFigures } from "./format-figures.ts";
import type { Results } from "./results.ts";

const fileOf = (name: string): string => fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));

const BEGIN = "<!-- figures -->";
const END = "<!-- end of figures -->";

/** Lays results over those that were published before and writes docs/performance.json, .svg and .md anew. */
export function publish(results: Results): void {
  const jsonFile = fileOf("performance.json");
  const before = existsSync(jsonFile) ? readResults(jsonFile) : results;
  const merged: Results = {
    ...before,
    ...results,
    measurements: { ...before.measurements, ...results.measurements },
  };
  writeFileSync(jsonFile, `${JSON.stringify(merged, null, 2)}\n`);
  const bars = toBars(merged);
  if (bars.length > 0) writeFileSync(fileOf("performance.svg"), drawBars(CHART_TITLE, bars));
  const page = fileOf("performance.md");
  const figures = [linkFiles(bars.length > 0), formatFigures(merged)].join("\n\n");
  writeFileSync(page, replaceFigures(readFileSync(page, "utf8"), figures));
  if (results.repair !== undefined) publishRepair(results.repair);
}

/** The library's README has its own table. */
function publishRepair(repair: RepairReport): void {
  const page = fileURLToPath(new URL("../../shared/repair/library/README.md", import.meta.url));
  writeFileSync(page, replaceFigures(readFileSync(page, "utf8"), toMarkdown(tableRepair(repair))));
}

const CHART_TITLE = "Throughput of a three-step chain, raw BullMQ = 1";

/** Points only to what is there. */
function linkFiles(hasChart: boolean): string {
  const json = "All of it as JSON: [performance.json](performance.json).";
  return hasChart ? `![${CHART_TITLE}](performance.svg)\n\n${json}` : json;
}

function readResults(file: string): Results {
  // Written by `publish` alone.
  return JSON.parse(readFileSync(file, "utf8")) as Results;
}

function toBars({ peers, chain }: Results): Bar[] {
  const anchor: Bar = { label: "raw BullMQ", figure: 1, range: [1, 1], isOurs: false };
  if (peers !== undefined) {
    const measured = peers.peers.flatMap((peer) => ("not_available" in peer ? [] : [peer]));
    const bars = measured.map(({ title, pairs, id }): Bar => ({
      label: title,
      figure: pairs.median,
      range: [pairs.min, pairs.max],
      isOurs: id.startsWith("suture"),
    }));
    return [anchor, ...bars];
  }
  if (chain === undefined) return [];
  const { median: figure, min, max } = chain.pairs;
  return [anchor, { label: "Suture", figure, range: [min, max], isOurs: true }];
}

/** Puts figures between the page's marks. @throws {Error} It has none. */
export function replaceFigures(page: string, figures: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`the page lacks its marks ${BEGIN} and ${END}`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${figures}\n\n${page.slice(end)}`;
}
