import { Link } from "@tanstack/react-router";
import { $api } from "../../data/api.ts";
import type { Answer } from "../../data/answers.ts";
import { SURGEON, useWorkforce } from "../../data/agents.ts";
import type { Lane } from "../../data/agents.ts";
import { Badge } from "../../parts/badge.tsx";
import { Choice, useAsked } from "../../parts/filters.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import type { Column } from "../../parts/table.tsx";
import parts from "../../parts/parts.module.css";

type Source = Answer<"/v1/ward/sources">["sources"][number];

const number = (count: number | undefined) => (count === undefined ? "–" : count.toLocaleString("en"));

const LANES: readonly Column<Lane>[] = [
  {
    name: "Queue",
    cell: ({ agent }) => (
      <Link to="/agents/$agent" params={{ agent }}>
        {agent === SURGEON ? "surgeon" : agent}
      </Link>
    ),
  },
  { name: "Lane", cell: ({ lane }) => (lane === "ward" ? "cases" : lane) },
  {
    name: "State",
    cell: ({ is_paused: isPaused, damage }) => (
      <span className={parts.badges}>
        {damage !== null && <Badge tone="bad">damaged: {damage}</Badge>}
        {isPaused && <Badge tone="warn">paused</Badge>}
        {damage === null && !isPaused && <span className={parts.quiet}>open</span>}
      </span>
    ),
  },
  { name: "Waiting", cell: ({ waiting }) => number(waiting), isNumeric: true },
  { name: "Active", cell: ({ active }) => number(active), isNumeric: true },
  { name: "Delayed", cell: ({ delayed }) => number(delayed), isNumeric: true },
  { name: "Failed", cell: ({ failed }) => number(failed), isNumeric: true },
];

const SOURCES: readonly Column<Source>[] = [
  {
    name: "Queue",
    cell: ({ source }) => (
      <Link to="/inbox" search={{ source }}>
        {source}
      </Link>
    ),
  },
  {
    name: "State",
    cell: ({ problem, has_contract: hasContract }) => (
      <span className={parts.badges}>
        {problem === null ? <Badge tone="warn">unsealed</Badge> : <Badge tone="bad">{problem}</Badge>}
        {!hasContract && <Badge>no contract: nothing is judged</Badge>}
      </span>
    ),
  },
  { name: "Failed", cell: ({ counts }) => number(counts?.failed), isNumeric: true },
  { name: "Waiting", cell: ({ counts }) => number(counts?.waiting), isNumeric: true },
  { name: "Active", cell: ({ counts }) => number(counts?.active), isNumeric: true },
  { name: "Delayed", cell: ({ counts }) => number(counts?.delayed), isNumeric: true },
];

const loadOf = ({ waiting, active, delayed, failed }: Lane): number => waiting + active + delayed + failed;
const needOf = ({ damage, is_paused: isPaused }: Lane): number => (damage !== null ? 2 : isPaused ? 1 : 0);

/** Queues with what waits in them: attached ones, which lead to their failed jobs, and those of the agents. */
export function Queues() {
  const [{ show = "" }] = useAsked();
  const workforce = useWorkforce();
  const sources = $api.useQuery("get", "/v1/ward/sources");
  const isShown = (lane: Lane): boolean => show === "all" || loadOf(lane) > 0 || needOf(lane) > 0;
  return (
    <Page title="Queues">
      <Panel title="Attached queues">
        <Loaded query={sources}>
          {(found) => (
            <Table
              isCards
              label="Attached queues"
              rows={found.sources}
              columns={SOURCES}
              keyOf={({ source }) => source}
              empty={
                <p className={parts.quiet}>
                  None. BullMQ queues that run anyway are attached by <code>SUTURE_ATTACH</code>; their failed
                  jobs then come to the inbox.
                </p>
              }
            />
          )}
        </Loaded>
      </Panel>
      <Panel
        title="Queues of agents"
        aside={<Choice name="show" label="Show" options={["all"]} none="those with something in them" />}
      >
        <Loaded query={workforce}>
          {({ queues }) => (
            <Table
              isCards
              label="Queues of agents"
              rows={queues
                .filter(isShown)
                .toSorted(
                  (a, b) => needOf(b) - needOf(a) || loadOf(b) - loadOf(a) || a.agent.localeCompare(b.agent),
                )}
              columns={LANES}
              keyOf={({ agent, lane }) => `${agent} ${lane}`}
              empty={
                <Empty title="Nothing waits.">
                  All {queues.length.toLocaleString("en")} lanes are open and empty.
                </Empty>
              }
            />
          )}
        </Loaded>
      </Panel>
    </Page>
  );
}
