import type { Table } from "../print-table.ts";
import type { ProfileFigures, ProfileReport } from "./measure.ts";

const PARTS_SHOWN = 24;
const FUNCTIONS_SHOWN = 40;
const COMMANDS_SHOWN = 28;

export function tableProfile({ bullmq, suture }: ProfileReport): Table[] {
  const total = (figures: ProfileFigures): string =>
    `Node ${figures.node_us_per_hop.toFixed(0)} and Redis ${figures.redis_us_per_hop.toFixed(0)}`;
  return [
    {
      title: `where a hop's time goes, in µs per hop: raw BullMQ ${total(bullmq)}, Suture ${total(suture)}`,
      rows: [["Node self time by part", "raw BullMQ", "Suture"], ...partRows(bullmq, suture)],
    },
    {
      title: "Suture's functions that take most themselves",
      rows: [
        ["", "part", "µs per hop"],
        ...suture.functions
          .slice(0, FUNCTIONS_SHOWN)
          .map(({ name, part, us_per_hop: us }) => [name, part, us.toFixed(1)]),
      ],
    },
    {
      title: "Redis by command; a script's time includes its commands'",
      rows: [
        ["", "calls, raw BullMQ", "calls, Suture", "µs, raw BullMQ", "µs, Suture"],
        ...commandRows(bullmq, suture),
      ],
    },
  ];
}

function partRows(bullmq: ProfileFigures, suture: ProfileFigures): string[][] {
  const raw = new Map(bullmq.parts.map(({ part, us_per_hop: us }) => [part, us]));
  return suture.parts
    .slice(0, PARTS_SHOWN)
    .map(({ part, us_per_hop: us }) => [part, (raw.get(part) ?? 0).toFixed(1), us.toFixed(1)]);
}

function commandRows(bullmq: ProfileFigures, suture: ProfileFigures): string[][] {
  const raw = new Map(bullmq.commands.map((figures) => [figures.command, figures]));
  return suture.commands.slice(0, COMMANDS_SHOWN).map(({ command, calls_per_hop: calls, us_per_hop: us }) => {
    const anchor = raw.get(command);
    return [
      command,
      (anchor?.calls_per_hop ?? 0).toFixed(2),
      calls.toFixed(2),
      (anchor?.us_per_hop ?? 0).toFixed(1),
      us.toFixed(1),
    ];
  });
}
