import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { SURGEON, useWorkforce } from "../../data/agents.ts";
import type { Agent as AgentView, Lane } from "../../data/agents.ts";
import { duration } from "../../parts/amounts.ts";
import { Badge } from "../../parts/badge.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import type { Column } from "../../parts/table.tsx";
import { useNow, When } from "../../parts/when.tsx";
import { AgentFailures } from "./agent-failures.tsx";
import { AgentHandoffs } from "./agent-handoffs.tsx";
import { judgeAgents } from "./judge-agents.ts";
import type { Worker } from "./judge-agents.ts";
import { QueueSwitch } from "./queue-switch.tsx";
import parts from "../../parts/parts.module.css";

/** One agent, or the surgeon: what waits for it, who works for it, what fails, and who hands it what. */
export function Agent() {
  const { agent: name } = useParams({ from: "/shell/agents/$agent" });
  const query = useWorkforce();
  const worker = query.data && judgeAgents(query.data).find((one) => one.name === name);
  return (
    <Page
      title={worker?.title ?? name}
      actions={
        <span className={parts.buttons}>
          {worker !== undefined && (
            <QueueSwitch name={name} title={worker.title} isPaused={worker.isPaused} />
          )}
          <Link to="/agents">All agents</Link>
        </span>
      }
    >
      <Loaded query={query}>
        {() =>
          worker === undefined ? (
            <Empty title="There is no such agent.">
              No loaded team declares it, and no process works for it.
            </Empty>
          ) : (
            <>
              <State of={worker} />
              <Lanes lanes={worker.lanes} />
              {worker.agent !== null && <Processes of={worker.agent} />}
              {name !== SURGEON && <AgentFailures agent={name} />}
              {name !== SURGEON && <AgentHandoffs agent={name} />}
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function State({ of: { agent, troubles } }: { readonly of: Worker }) {
  const model = agent?.live.find(({ waits_for_model: waits }) => waits !== null)?.waits_for_model ?? null;
  return (
    <Panel
      title="How it stands"
      aside={
        <span className={parts.badges}>
          {troubles.map(({ tone, text }) => (
            <Badge key={text} tone={tone}>
              {text}
            </Badge>
          ))}
          {troubles.length === 0 && <Badge tone="good">works</Badge>}
        </span>
      }
    >
      {model !== null && (
        <p role="status">
          The circuit of <b>{model.model}</b> is open since <When at={model.since} />.{" "}
          {model.reason === "configuration"
            ? "A setting is wrong: check OPENAI_API_KEY, OPENAI_BASE_URL and the model's name."
            : "Check OPENAI_BASE_URL and the endpoint's own status."}{" "}
          Messages that need it wait and go on by themselves; none is lost.
        </p>
      )}
      {agent === null ? (
        <p>
          Repairs what fails: rules first, then recipes, then a model; what it cannot prove waits for a
          person.
        </p>
      ) : (
        <>
          <p>{agent.description}</p>
          <Facts of={factsOf(agent)} />
        </>
      )}
    </Panel>
  );
}

const factsOf = (agent: AgentView): readonly (readonly [string, ReactNode] | false)[] => [
  ["Version", <code key="version">{agent.id}</code>],
  ["Team", agent.team],
  ["Takes", <code key="takes">{agent.accepts}</code>],
  ["Capabilities", agent.capabilities.join(", ") || "none named"],
  ["From outside", agent.outside ? "POST /v1/handoffs reaches it" : "not reached"],
  !agent.declared && ["Declared", "by no team loaded here: another deployment shares the store"],
];

const LANES: readonly Column<Lane>[] = [
  { name: "Lane", cell: ({ lane }) => (lane === "ward" ? "cases" : lane) },
  { name: "Waiting", cell: ({ waiting }) => waiting.toLocaleString("en"), isNumeric: true },
  { name: "Active", cell: ({ active }) => active.toLocaleString("en"), isNumeric: true },
  { name: "Delayed", cell: ({ delayed }) => delayed.toLocaleString("en"), isNumeric: true },
  { name: "Failed", cell: ({ failed }) => failed.toLocaleString("en"), isNumeric: true },
  { name: "Damage", cell: ({ damage }) => (damage === null ? "none" : <Badge tone="bad">{damage}</Badge>) },
];

function Lanes({ lanes }: { readonly lanes: readonly Lane[] }) {
  return (
    <Panel title="Queue">
      <Table
        isCards
        label="Lanes of its queue"
        rows={lanes}
        columns={LANES}
        keyOf={({ lane }) => lane}
        empty={<p className={parts.quiet}>Its team is not loaded here, so its queue is not read.</p>}
      />
    </Panel>
  );
}

type Presence = AgentView["live"][number];

const PROCESSES: readonly Column<Presence>[] = [
  { name: "Process", cell: ({ instance, pid }) => <code title={`pid ${pid}`}>{instance}</code> },
  { name: "Version", cell: ({ version }) => version, isNumeric: true },
  { name: "At once", cell: ({ concurrency }) => concurrency, isNumeric: true },
  {
    name: "State",
    cell: ({ state, waits_for_model: waits }) =>
      state === "held" ? (
        <Badge tone="bad">held: its clock is off</Badge>
      ) : waits === null ? (
        <Badge tone="good">working</Badge>
      ) : (
        <Badge tone="bad">waits for {waits.model}</Badge>
      ),
  },
  { name: "Restarts", cell: ({ restarts }) => restarts, isNumeric: true },
  { name: "Up for", cell: ({ started_at: at }) => <Age since={at} />, isNumeric: true },
  { name: "Seen", cell: ({ seen_at: at }) => <When at={at} /> },
];

function Age({ since }: { readonly since: string }) {
  return <time title={since}>{duration(useNow() - Date.parse(since))}</time>;
}

function Processes({ of: { live } }: { readonly of: AgentView }) {
  return (
    <Panel title="Processes">
      <Table
        isCards
        label="Processes that work for it"
        rows={live}
        columns={PROCESSES}
        keyOf={({ instance }) => instance}
        empty={
          <p>
            No process works for it: its messages wait. Start the one that runs its team, or look why it ended
            (<code>npx suture doctor</code>).
          </p>
        }
      />
    </Panel>
  );
}
