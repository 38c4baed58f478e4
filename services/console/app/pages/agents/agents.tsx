import { Link } from "@tanstack/react-router";
import { $api, api, SURGEON, useRole, useWorkforce } from "../../data/api.ts";
import type { Agent, Answer, Lane } from "../../data/api.ts";
import { Choice, SearchBox, useAsked } from "../../parts/filters.tsx";
import { AgentLink } from "../../parts/links.tsx";
import { Badge, Empty, Page } from "../../parts/page.tsx";
import { AskWhy } from "../../parts/reason-form.tsx";
import { amount, LOAD, TablePanel } from "../../parts/table.tsx";
import type { Columns } from "../../parts/table.tsx";
import { counted, sum } from "../../parts/text.ts";
import parts from "../../parts/parts.module.css";

/** An agent with its lanes, or the surgeon, of whose processes this list says nothing. */
export type Worker = ReturnType<typeof judge>;

/** Agents and the surgeon, those with the worst trouble first, then by what waits. */
export function judgeAgents(of: { agents: readonly Agent[]; queues: readonly Lane[] }): readonly Worker[] {
  const lanes = Map.groupBy(of.queues, ({ agent }) => agent);
  const workers = of.agents.map((agent) => judge(agent.agent, agent, lanes.get(agent.agent)));
  if (lanes.has(SURGEON)) workers.push(judge(SURGEON, null, lanes.get(SURGEON)));
  return workers.toSorted(
    (a, b) =>
      b.bad.length - a.bad.length ||
      b.warn.length - a.warn.length ||
      b.waiting - a.waiting ||
      a.title.localeCompare(b.title),
  );
}

/** The open circuit of a model for which an agent waits, if one is. */
export const circuitOf = (agent: Agent | null) =>
  agent?.live.find(({ waits_for_model: model }) => model !== null)?.waits_for_model ?? null;

function judge(name: string, agent: Agent | null, lanes: readonly Lane[] = []) {
  const isPaused = lanes.some(({ is_paused: is }) => is);
  const failed = sum(lanes.map((lane) => lane.failed));
  const damaged = lanes.flatMap(({ lane, damage }) => (damage === null ? [] : `${lane} (${damage})`));
  const circuit = circuitOf(agent);
  const does = circuit?.reason === "configuration" ? "refuses every call" : "does not answer";
  const held = agent?.live.filter(({ state }) => state === "held").length ?? 0;
  const restarts = sum(agent?.live.map((one) => one.restarts) ?? []);
  const said = (of: readonly (readonly [boolean, string])[]): readonly string[] =>
    of.flatMap(([isSo, text]) => (isSo ? text : []));
  return {
    name,
    title: name === SURGEON ? "surgeon" : name,
    agent,
    lanes,
    isPaused,
    waiting: sum(lanes.map(({ waiting }) => waiting)),
    active: sum(lanes.map(({ active }) => active)),
    delayed: sum(lanes.map(({ delayed }) => delayed)),
    /** Its faults in words. `bad`: its messages do not get on. */
    bad: said([
      [agent?.live.length === 0, "no process"],
      [circuit !== null, `${circuit?.model} ${does}`],
      [held > 0, `clock of ${counted(held, "process", "processes")} is off`],
      [damaged.length > 0, `damaged queue: ${damaged.join(", ")}`],
    ]),
    warn: said([
      [restarts > 0, counted(restarts, "restart")],
      [isPaused, "paused"],
      [failed > 0, counted(failed, "failed job")],
    ]),
  };
}

const COLUMNS: Columns<Worker> = {
  Agent: ({ name, agent }) => <AgentLink name={name} title={agent?.description ?? "Repairs what fails."} />,
  State: (worker) => <Troubles of={worker} />,
  Team: ({ agent }) => agent?.team ?? "all",
  Processes: amount(({ agent }) => agent?.live.length),
  Waiting: LOAD.Waiting,
  Active: LOAD.Active,
  Delayed: LOAD.Delayed,
  Queue: (worker) => <QueueSwitch of={worker} />,
};

/** Agents and the surgeon: those that somebody has to look after first. */
export function Agents() {
  const [{ text = "", team = "" }] = useAsked();
  const query = useWorkforce();
  const teams = [...new Set(query.data?.agents.map((one) => one.team))].toSorted();
  const isMeant = ({ title, agent }: Worker): boolean =>
    (team === "" || agent?.team === team) &&
    [title, agent?.description, agent?.capabilities].join(" ").toLowerCase().includes(text.toLowerCase());
  const workers = query.data ? judgeAgents(query.data).filter(isMeant) : [];
  const needing = workers.filter(({ bad, warn }) => bad.length + warn.length > 0).length;
  return (
    <Page title="Agents">
      <div className={parts.filters}>
        <SearchBox label="Agent or capability" />
        <Choice name="team" label="Team" options={teams} />
      </div>
      <TablePanel
        title={needing > 0 ? `${counted(needing, "agent")} to look at` : query.data ? "All work" : "State"}
        query={query}
        rows={workers}
        keyOf={({ name }) => name}
        columns={COLUMNS}
        empty={<Empty title="No agent of a loaded team meets this." />}
      />
    </Page>
  );
}

/** An agent's state: its fault, or that it works. */
export function Troubles({ of }: { readonly of: Worker }) {
  const badges = (["bad", "warn"] as const).flatMap((tone) =>
    of[tone].map((text) => (
      <Badge key={text} tone={tone}>
        {text}
      </Badge>
    )),
  );
  return (
    <span className={parts.badges}>{badges.length > 0 ? badges : <Badge tone="good">works</Badge>}</span>
  );
}

/** Pauses or resumes both lanes of an agent, for operators, with a reason. The one undoes the other. */
export function QueueSwitch({ of: { name, title, isPaused } }: { readonly of: Worker }) {
  if (useRole() === "viewer") return isPaused ? "paused" : "open";
  const act = isPaused ? "resume" : "pause";
  const params = { path: { agent: name } };
  return (
    <AskWhy
      title={`${isPaused ? "Resume" : "Pause"} ${title}`}
      send={(why) => api.POST(`/v1/queues/{agent}/${act}` as const, { params, body: { why } })}
    >
      {isPaused
        ? "Messages that wait are given out again, the oldest first."
        : "Messages wait until somebody resumes it; what is in hand ends. Those with a time limit may expire meanwhile."}
    </AskWhy>
  );
}

/** Columns of the lanes of agents, with what waits in them. */
export const LANES: Columns<Lane> = {
  Queue: ({ agent }) => <AgentLink name={agent} />,
  Lane: ({ lane }) => (lane === "ward" ? "cases" : lane),
  State: ({ damage, is_paused: isPaused }) => (
    <span className={parts.badges}>
      {damage !== null && <Badge tone="bad">damaged: {damage}</Badge>}
      {isPaused && <Badge tone="warn">paused</Badge>}
      {damage === null && !isPaused && "open"}
    </span>
  ),
  ...LOAD,
};

const ATTACHED: Columns<Answer<"/v1/ward/sources">["sources"][number]> = {
  Queue: ({ source }) => (
    <Link to="/inbox" search={{ source }}>
      {source}
    </Link>
  ),
  State: ({ problem, has_contract: isJudged }) => (
    <span className={parts.badges}>
      <Badge tone={problem === null ? "warn" : "bad"}>{problem ?? "unsealed"}</Badge>
      {!isJudged && <Badge tone="warn">no contract: nothing is judged</Badge>}
    </span>
  ),
  ...LOAD,
};

const loadOf = ({ waiting, active, delayed, failed }: Lane): number => waiting + active + delayed + failed;
const needOf = ({ damage, is_paused: isPaused }: Lane): number => (damage !== null ? 2 : isPaused ? 1 : 0);

/** Queues with what waits in them: attached ones, which lead to their failed jobs, and those of the agents. */
export function Queues() {
  const [{ show = "" }] = useAsked();
  const attached = $api.useQuery("get", "/v1/ward/sources");
  const workforce = useWorkforce();
  const lanes = workforce.data?.queues ?? [];
  return (
    <Page title="Queues">
      <TablePanel
        title="Attached queues"
        query={attached}
        rows={attached.data?.sources.map((one) => ({ ...one, ...one.counts })) ?? []}
        keyOf={({ source }) => source}
        columns={ATTACHED}
        empty="None. SUTURE_ATTACHED_QUEUES attaches BullMQ queues that run anyway; their failed jobs then come to the inbox."
      />
      <TablePanel
        title="Queues of agents"
        aside={<Choice name="show" label="Show" options={["all"]} none="those with something in them" />}
        query={workforce}
        rows={lanes
          .filter((lane) => show === "all" || loadOf(lane) > 0 || needOf(lane) > 0)
          .toSorted((a, b) => needOf(b) - needOf(a) || loadOf(b) - loadOf(a))}
        keyOf={({ agent, lane }) => `${agent} ${lane}`}
        columns={LANES}
        empty={<Empty title="Nothing waits.">All {lanes.length} lanes are open and empty.</Empty>}
      />
    </Page>
  );
}
