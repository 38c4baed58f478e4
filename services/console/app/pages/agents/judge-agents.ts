import { SURGEON } from "../../data/agents.ts";
import type { Agent, Lane } from "../../data/agents.ts";
import { counted } from "../../parts/amounts.ts";

/** Something about an agent that somebody should know. */
interface Trouble {
  readonly tone: "bad" | "warn";
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

const WEIGHTS = { bad: 100, warn: 1 };
const weight = ({ troubles }: Worker): number => troubles.reduce((sum, { tone }) => sum + WEIGHTS[tone], 0);

/** Agents and the surgeon, those with the worst trouble first, then by what waits. */
export function judgeAgents(of: { agents: readonly Agent[]; queues: readonly Lane[] }): readonly Worker[] {
  const lanesOf = (name: string): readonly Lane[] => of.queues.filter(({ agent }) => agent === name);
  const workers = of.agents.map((agent) => judge(agent.agent, agent, lanesOf(agent.agent)));
  if (lanesOf(SURGEON).length > 0) workers.push(judge(SURGEON, null, lanesOf(SURGEON)));
  return workers.toSorted(
    (a, b) => weight(b) - weight(a) || b.waiting - a.waiting || a.title.localeCompare(b.title),
  );
}

function judge(name: string, agent: Agent | null, lanes: readonly Lane[]): Worker {
  const sum = (of: "waiting" | "active" | "delayed" | "failed"): number =>
    lanes.reduce((total, lane) => total + lane[of], 0);
  const isPaused = lanes.some(({ is_paused: is }) => is);
  const damaged = lanes.filter(({ damage }) => damage !== null).map(({ lane }) => lane);
  const found: readonly (readonly [Trouble["tone"], string | false])[] = [
    ...(agent === null ? [] : ofProcesses(agent)),
    ["bad", damaged.length > 0 && `damaged queue: ${damaged.join(", ")}`],
    ["warn", isPaused && "paused"],
    ["warn", sum("failed") > 0 && counted(sum("failed"), "failed job")],
  ];
  return {
    name,
    title: name === SURGEON ? "surgeon" : name,
    agent,
    lanes,
    isPaused,
    troubles: found.flatMap(([tone, text]) => (text === false ? [] : { tone, text })),
    waiting: sum("waiting"),
    active: sum("active"),
    delayed: sum("delayed"),
  };
}

/** The open circuit of a model for which an agent waits, if one is. */
export const circuitOf = (agent: Agent | null) =>
  agent?.live.find(({ waits_for_model: model }) => model !== null)?.waits_for_model ?? null;

function ofProcesses(agent: Agent): readonly (readonly [Trouble["tone"], string | false])[] {
  const { live } = agent;
  const circuit = circuitOf(agent);
  const held = live.filter(({ state }) => state === "held").length;
  const restarts = live.reduce((sum, one) => sum + one.restarts, 0);
  const isRefused = circuit?.reason === "configuration";
  return [
    ["bad", live.length === 0 && "no process"],
    [
      "bad",
      circuit !== null && (isRefused ? `${circuit.model} refuses every call` : `waits for ${circuit.model}`),
    ],
    ["bad", held > 0 && `clock of ${counted(held, "process", "processes")} is off`],
    ["warn", restarts > 0 && counted(restarts, "restart")],
  ];
}
