import { useWorkforce } from "../../data/agents.ts";
import { $api, api, readAgain } from "../../data/api.ts";
import { counted } from "../../parts/amounts.ts";
import { AskWhy } from "../../parts/ask-why.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Choice, SearchBox, useAsked } from "../../parts/filters.tsx";
import { AgentLink } from "../../parts/links.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { countColumn, LOAD, TablePanel } from "../../parts/table.tsx";
import type { Column } from "../../parts/table.tsx";
import { judgeAgents } from "./judge-agents.ts";
import type { Worker } from "./judge-agents.ts";
import parts from "../../parts/parts.module.css";
import styles from "./agents.module.css";

const COLUMNS: readonly Column<Worker>[] = [
  {
    name: "Agent",
    cell: ({ name, agent }) => <AgentLink name={name} title={agent?.description ?? "Repairs what fails."} />,
  },
  { name: "State", cell: (worker) => <Troubles of={worker} /> },
  { name: "Team", cell: ({ agent }) => agent?.team ?? <span className={parts.quiet}>all</span> },
  countColumn("Processes", ({ agent }) => agent?.live.length),
  ...LOAD.slice(0, 3),
  { name: "Queue", cell: (worker) => <QueueSwitch of={worker} /> },
];

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
          const shown = [
            [needing.length === 0 ? "All work" : `${counted(needing.length, "agent")} to look at`, needing],
            ["The others", rest],
          ] as const;
          if (workers.length === 0) return <Empty title="No agent of a loaded team meets this." />;
          return (
            <div className={styles.list}>
              {shown.map(
                ([title, rows]) =>
                  (rows.length > 0 || rows === needing) && (
                    <TablePanel
                      key={title}
                      title={title}
                      rows={rows}
                      keyOf={({ name }) => name}
                      columns={COLUMNS}
                      empty={
                        <p className={parts.quiet}>
                          Each has a process, a sound queue and a model that answers.
                        </p>
                      }
                    />
                  ),
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
  return (team === "" || agent?.team === team) && words.some((one) => one.toLowerCase().includes(text));
}

/** What is wrong with an agent, or that it works. */
export function Troubles({ of: { troubles } }: { readonly of: Worker }) {
  return (
    <span className={parts.badges}>
      {troubles.map(({ tone, text }) => (
        <Badge key={text} tone={tone}>
          {text}
        </Badge>
      ))}
      {troubles.length === 0 && <Badge tone="good">works</Badge>}
    </span>
  );
}

/** Pauses or resumes both lanes of an agent, for operators, with a reason. The one undoes the other. */
export function QueueSwitch({ of: { name, title, isPaused } }: { readonly of: Worker }) {
  const { data: session } = $api.useQuery("get", "/v1/session");
  if (session === undefined || session.role === "viewer") return isPaused ? "paused" : "open";
  const send = async (why: string): Promise<void> => {
    const asked = { params: { path: { agent: name } }, body: { why } };
    if (isPaused) await api.POST("/v1/queues/{agent}/resume", asked);
    else await api.POST("/v1/queues/{agent}/pause", asked);
    await readAgain();
  };
  const [act, says] = isPaused
    ? ["Resume", "Messages that wait are given out again, the oldest first."]
    : [
        "Pause",
        "Messages wait until somebody resumes it; what is in hand ends. Those with a time limit may expire meanwhile.",
      ];
  return (
    <AskWhy title={`${act} ${title}`} says={says} send={send}>
      {act} …
    </AskWhy>
  );
}
