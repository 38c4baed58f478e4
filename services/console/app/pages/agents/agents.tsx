import { Link } from "@tanstack/react-router";
import { useWorkforce } from "../../data/agents.ts";
import { counted } from "../../parts/amounts.ts";
import { Badge } from "../../parts/badge.tsx";
import { Choice, SearchBox, useAsked } from "../../parts/filters.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import type { Column } from "../../parts/table.tsx";
import { judgeAgents } from "./judge-agents.ts";
import type { Worker } from "./judge-agents.ts";
import { QueueSwitch } from "./queue-switch.tsx";
import parts from "../../parts/parts.module.css";
import styles from "./agents.module.css";

const COLUMNS: readonly Column<Worker>[] = [
  {
    name: "Agent",
    cell: ({ name, title, agent }) => (
      <Link to="/agents/$agent" params={{ agent: name }} title={agent?.description ?? "Repairs what fails."}>
        {title}
      </Link>
    ),
  },
  {
    name: "State",
    cell: ({ troubles }) => (
      <span className={parts.badges}>
        {troubles.map(({ tone, text }) => (
          <Badge key={text} tone={tone}>
            {text}
          </Badge>
        ))}
        {troubles.length === 0 && <Badge tone="good">works</Badge>}
      </span>
    ),
  },
  { name: "Team", cell: ({ agent }) => agent?.team ?? <span className={parts.quiet}>all</span> },
  { name: "Processes", cell: ({ agent }) => agent?.live.length ?? "–", isNumeric: true },
  { name: "Waiting", cell: ({ waiting }) => waiting.toLocaleString("en"), isNumeric: true },
  { name: "Active", cell: ({ active }) => active.toLocaleString("en"), isNumeric: true },
  { name: "Delayed", cell: ({ delayed }) => delayed.toLocaleString("en"), isNumeric: true },
  { name: "Queue", cell: ({ name, title, isPaused }) => <QueueSwitch {...{ name, title, isPaused }} /> },
];

const keyOf = ({ name }: Worker): string => name;

/** Agents and the surgeon: those that somebody has to look after first. */
export function Agents() {
  const [{ text = "", team = "" }] = useAsked();
  const query = useWorkforce();
  const teams = [...new Set(query.data?.agents.map((one) => one.team))].toSorted();
  return (
    <Page title="Agents">
      <div className={parts.filters}>
        <SearchBox name="text" label="Agent or capability" />
        <Choice name="team" label="Team" options={teams} />
      </div>
      <Loaded query={query}>
        {(workforce) => {
          const workers = judgeAgents(workforce).filter((one) => isMeant(one, text.toLowerCase(), team));
          const needing = workers.filter(({ troubles }) => troubles.length > 0);
          const rest = workers.filter(({ troubles }) => troubles.length === 0);
          if (workers.length === 0)
            return (
              <Empty title="No agent meets this.">
                Agents of loaded teams are listed here, and those that live.
              </Empty>
            );
          return (
            <div className={styles.list}>
              <Panel
                title={needing.length === 0 ? "All work" : `${counted(needing.length, "agent")} to look at`}
              >
                <Table
                  isCards
                  label="Agents to look at"
                  rows={needing}
                  columns={COLUMNS}
                  keyOf={keyOf}
                  empty={
                    <p className={parts.quiet}>Each has a process, a sound queue and a model that answers.</p>
                  }
                />
              </Panel>
              {rest.length > 0 && (
                <Panel title="The others">
                  <Table
                    isCards
                    label="The other agents"
                    rows={rest}
                    columns={COLUMNS}
                    keyOf={keyOf}
                    empty={null}
                  />
                </Panel>
              )}
            </div>
          );
        }}
      </Loaded>
    </Page>
  );
}

function isMeant({ title, agent }: Worker, text: string, team: string): boolean {
  const words = [title, agent?.description ?? "", ...(agent?.capabilities ?? [])];
  return (
    (team === "" || agent?.team === team) &&
    (text === "" || words.some((one) => one.toLowerCase().includes(text)))
  );
}
