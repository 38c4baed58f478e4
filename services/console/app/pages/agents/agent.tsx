import { useParams } from "@tanstack/react-router";
import { $api, SURGEON, useWorkforce } from "../../data/api.ts";
import type { Agent as AgentView, Answer } from "../../data/api.ts";
import { GroupLink } from "../../parts/links.tsx";
import { Badge, Empty, Facts, Loaded, Page, Panel, Status, When } from "../../parts/page.tsx";
import { amount, HANDOFFS, PRODUCERS, TablePanel, Trend } from "../../parts/table.tsx";
import type { Columns } from "../../parts/table.tsx";
import { circuitOf, judgeAgents, LANES, QueueSwitch, Troubles } from "./agents.tsx";
import type { Worker } from "./agents.tsx";

/** One agent, or the surgeon: what waits for it, who works for it, what fails, and who hands it what. */
export function Agent() {
  const { agent: name } = useParams({ from: "/shell/agents/$agent" });
  const query = useWorkforce();
  const worker = query.data && judgeAgents(query.data).find((one) => one.name === name);
  const none = "No loaded team declares it, and no process works for it.";
  return (
    <Page title={worker?.title ?? name} actions={worker && <QueueSwitch of={worker} />}>
      {worker === undefined ? (
        <Loaded query={query}>{() => <Empty title="There is no such agent.">{none}</Empty>}</Loaded>
      ) : (
        <Known of={worker} />
      )}
    </Page>
  );
}

function Known({ of: worker }: { readonly of: Worker }) {
  const { name, agent, lanes } = worker;
  const circuit = circuitOf(agent);
  return (
    <>
      <Panel title="How it stands" aside={<Troubles of={worker} />}>
        {circuit !== null && (
          <p role="status">
            The circuit of <b>{circuit.model}</b> is open since <When at={circuit.since} />.{" "}
            {circuit.reason === "configuration"
              ? "A setting is wrong: check OPENAI_API_KEY, OPENAI_BASE_URL and the model's name."
              : "Check OPENAI_BASE_URL and the endpoint's own status."}{" "}
            Messages that need it wait and go on by themselves; none is lost.
          </p>
        )}
        <p>
          {agent?.description ??
            "Repairs what fails: rules first, then recipes, then a model; what it cannot prove waits for a person."}
        </p>
        {agent !== null && (
          <Facts
            of={{
              Version: <code>{agent.id}</code>,
              Team: agent.team,
              Takes: <code>{agent.accepts}</code>,
              Capabilities: agent.capabilities.join(", ") || "none named",
              "From outside": agent.outside ? "POST /v1/handoffs reaches it" : "not reached",
              Declared: !agent.declared && "by no team loaded here: another deployment shares the store",
            }}
          />
        )}
      </Panel>
      <TablePanel
        title="Queue"
        rows={lanes}
        columns={LANES}
        keyOf={({ lane }) => lane}
        empty="Its team is not loaded here, so its queue is not read."
      />
      {agent !== null && (
        <TablePanel
          title="Processes"
          rows={agent.live}
          columns={PROCESSES}
          keyOf={({ instance }) => instance}
          empty="No process works for it: its messages wait. Start the one that runs its team, or look why it ended: npx suture doctor."
        />
      )}
      {name !== SURGEON && <Work agent={name} />}
    </>
  );
}

const PROCESSES: Columns<AgentView["live"][number]> = {
  Process: ({ instance, pid }) => <code title={`pid ${pid}`}>{instance}</code>,
  Version: amount(({ version }) => version),
  "At once": amount(({ concurrency }) => concurrency),
  State: ({ state, waits_for_model: waits }) => {
    const trouble = state === "held" ? "held: its clock is off" : waits && `waits for ${waits.model}`;
    return <Badge tone={trouble === null ? "good" : "bad"}>{trouble ?? "working"}</Badge>;
  },
  Restarts: amount(({ restarts }) => restarts),
  Started: ({ started_at: at }) => <When at={at} />,
  Seen: ({ seen_at: at }) => <When at={at} />,
};

const GROUPS: Columns<Answer<"/v1/ward/groups">["groups"][number]> = {
  State: ({ attention }) => <Status of={attention} />,
  "What fails": (group) => <GroupLink of={group} />,
  Open: amount(({ open }) => open),
  Last: ({ last_seen_ms: at }) => <When at={at} />,
  Trend: ({ trend }) => <Trend counts={trend} label="Messages an hour" />,
};

const span = { params: { query: { span: "two_days" } } } as const;

/** Failures of an agent, its outputs, and its handoffs in both directions. */
function Work({ agent }: { readonly agent: string }) {
  const groups = $api.useQuery("get", "/v1/ward/groups", { params: { query: { text: agent, limit: 50 } } });
  const producers = $api.useQuery("get", "/v1/producers", span);
  const handoffs = $api.useQuery("get", "/v1/handoffs", span);
  const made = producers.data?.producers.filter((one) => one.agent.replace(/@.*/, "") === agent) ?? [];
  return (
    <>
      <TablePanel
        title="What fails here"
        query={groups}
        rows={groups.data?.groups.filter(({ fingerprint }) => fingerprint.startsWith(`${agent}/`)) ?? []}
        columns={GROUPS}
        keyOf={({ fingerprint }) => fingerprint}
        empty="None of its messages failed."
      />
      {made.length > 0 && <TablePanel title="What it made in the last two days" rows={made} {...PRODUCERS} />}
      <TablePanel
        title="Who hands it what, and where it goes from here"
        query={handoffs}
        rows={handoffs.data?.handoffs.filter(({ from, to }) => from === agent || to === agent) ?? []}
        {...HANDOFFS}
        empty="Nobody is declared to hand it anything."
      />
    </>
  );
}
