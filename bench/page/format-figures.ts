import { tableChain } from "../chain/table-chain.ts";
import { tablePeers } from "../peers/table-peers.ts";
import { toMarkdown } from "../print-table.ts";
import type { Table } from "../print-table.ts";
import { tableRepair } from "../repair/table-repair.ts";
import { tableScaling } from "../scaling/table-scaling.ts";
import type { Measurement, Results } from "./results.ts";

/** All figures as Markdown, each benchmark with the time and the load of its measuring. */
export function formatFigures(results: Results): string {
  const { machine, measurements, chain, peers, scaling, repair } = results;
  const section = (name: string, heading: string, tables: readonly Table[]): string[] => [
    `### ${heading}`,
    describeMeasurement(measurements[name]),
    ...tables.map(toMarkdown),
  ];
  const parts = [
    `Machine: ${machine.cpus} cores (${machine.model || "model not told"}), ${machine.memory_gib} GiB, Node ${machine.node}.`,
    ...(peers === undefined ? [] : section("peers", "Beside durable engines", tablePeers(peers))),
    ...(chain === undefined ? [] : section("chain", "The price of a hop", tableChain(chain))),
    ...(scaling === undefined ? [] : section("scaling", "More worker processes", tableScaling(scaling))),
    ...(repair === undefined ? [] : section("repair", "First aid beside its peers", [tableRepair(repair)])),
  ];
  return parts.join("\n\n");
}

function describeMeasurement(measurement: Measurement | undefined): string {
  if (measurement === undefined) return "";
  const { measured_at: at, is_quick: isQuick } = measurement;
  const load = [measurement.load_average_before, measurement.load_average_after].map((each) =>
    each.toFixed(1),
  );
  const warning = isQuick ? " A quick run: its figures show that all is well, and no more." : "";
  return `Measured ${at.slice(0, 16).replace("T", " ")} UTC; load average ${load.join(" before and ")} after.${warning}`;
}
