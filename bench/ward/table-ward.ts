import type { Table } from "../print-table.ts";
import type { WardReport, WaveFigures } from "./measure.ts";

const ROWS: readonly (readonly [string, (wave: WaveFigures) => number, number])[] = [
  ["messages", (wave) => wave.messages, 0],
  ["seconds until all had left", (wave) => wave.seconds, 1],
  ["seconds until the first had left", (wave) => wave.seconds_to_first, 1],
  ["messages a second", (wave) => wave.messages_per_second, 0],
  ["calls of the model", (wave) => wave.model_calls, 0],
  ["script calls per message", (wave) => wave.scripts_per_message, 2],
  ["Redis commands per message, inside scripts too", (wave) => wave.commands_per_message, 1],
  ["Node CPU, ms per message", (wave) => wave.node_cpu_ms_per_message, 2],
  ["Redis CPU, ms per message", (wave) => wave.redis_cpu_ms_per_message, 2],
];

export function tableWard(report: WardReport): Table[] {
  const heads = ["", ...report.waves.map((_, n) => `wave ${n + 1}`)];
  const rows = ROWS.map(([label, of, digits]) => [
    label,
    ...report.waves.map((wave) => of(wave).toFixed(digits)),
  ]);
  const sums = [
    ["", "in all"],
    ["runs submitted", String(report.runs_submitted)],
    ["runs completed", String(report.runs_completed)],
    ["recipes", String(report.recipes)],
    ["USD", report.cost_usd.toFixed(4)],
  ];
  return [
    {
      title: "dead messages of one fault, healed by one surgeon with default settings",
      rows: [heads, ...rows],
    },
    { title: "what became of them", rows: sums },
  ];
}
