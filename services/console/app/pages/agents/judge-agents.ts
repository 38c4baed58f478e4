import { SURGEON } from "../../data/agents.ts";
import type { Agent, Lane } from "../../data/agents.ts";
import { counted } from "../../parts/amounts.ts";
import type { Tone } from "../../parts/badge.tsx";

/** Something about an agent that somebody should know. */
interface Trouble {
  readonly tone: Tone;
  readonly text: string;
}

/** An agent with its lanes, or the surgeon, of whose processes this list says nothing. */
export interface Worker {
  readonly name: string;
  readonly title: string;
  readonly agent: Agent | null;
  readonly lanes: readonly Lane[];
  readonly isPaused: boolean;
  readonly troubles: readonly Trouble[];
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
}

interface Workforce {
  readonly agents: readonly Agent[];
  readonly queues: readonly Lane[];
}

/** Agents and the surgeon, those with the worst trouble first, then by what waits. */
export function judgeAgents({ agents, queues }: Workforce): readonly Worker[] {
  const surgeon = queues.filter((lane) => lane.agent === SURGEON);
  const workers = agents.map((agent) =>
    judge(
      agent.agent,
      agent,
      queues.filter((lane) => lane.agent === agent.agent),
    ),
  );
  const all = surgeon.length === 0 ? workers : [...workers, judge(SURGEON, null, surgeon)];
  return all.toSorted(
    (a, b) => weight(b) - weight(a) || b.waiting - a.waiting || a.title.localeCompare(b.title),
  );
}

const WEIGHTS: Partial<Record<Tone, number>> = { bad: 100, warn: 1 };
const weight = ({ troubles }: Worker): number =>
  troubles.reduce((sum, { tone }) => sum + (WEIGHTS[tone] ?? 0), 0);

function judge(name: string, agent: Agent | null, lanes: readonly Lane[]): Worker {
  const sum = (of: "waiting" | "active" | "delayed"): number =>
    lanes.reduce((total, lane) => total + lane[of], 0);
  const isPaused = lanes.some(({ is_paused: is }) => is);
  return {
    name,
    title: name === SURGEON ? "surgeon" : name,
    agent,
    lanes,
    isPaused,
    troubles: [...ofProcesses(agent), ...ofLanes(lanes, isPaused)],
    waiting: sum("waiting"),
    active: sum("active"),
    delayed: sum("delayed"),
  };
}

function ofProcesses(agent: Agent | null): readonly Trouble[] {
  if (agent === null) return [];
  const { live } = agent;
  if (live.length === 0) return [{ tone: "bad", text: "no process" }];
  const waits = live.find(({ waits_for_model: model }) => model !== null)?.waits_for_model ?? null;
  const held = live.filter(({ state }) => state === "held").length;
  const restarts = live.reduce((sum, one) => sum + one.restarts, 0);
  return [
    ...(waits === null
      ? []
      : [
          {
            tone: "bad" as const,
            text:
              waits.reason === "configuration"
                ? `${waits.model} refuses every call`
                : `waits for ${waits.model}`,
          },
        ]),
    ...(held === 0
      ? []
      : [{ tone: "bad" as const, text: `clock of ${counted(held, "process", "processes")} is off` }]),
    ...(restarts === 0 ? [] : [{ tone: "warn" as const, text: counted(restarts, "restart") }]),
  ];
}

function ofLanes(lanes: readonly Lane[], isPaused: boolean): readonly Trouble[] {
  const damaged = lanes.filter(({ damage }) => damage !== null).map(({ lane }) => lane);
  const failed = lanes.reduce((sum, lane) => sum + lane.failed, 0);
  return [
    ...(damaged.length === 0 ? [] : [{ tone: "bad" as const, text: `damaged queue: ${damaged.join(", ")}` }]),
    ...(isPaused ? [{ tone: "warn" as const, text: "paused" }] : []),
    ...(failed === 0 ? [] : [{ tone: "warn" as const, text: counted(failed, "failed job") }]),
  ];
}
