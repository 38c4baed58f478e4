import { Link } from "@tanstack/react-router";
import { $api } from "../../data/api.ts";
import type { Answer } from "../../data/answers.ts";
import { percent } from "../../parts/amounts.ts";
import { Status } from "../../parts/badge.tsx";
import { GroupName } from "../../parts/group-name.tsx";
import { Panel } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import type { Column } from "../../parts/table.tsx";
import { Trend } from "../../parts/trend.tsx";
import { When } from "../../parts/when.tsx";
import parts from "../../parts/parts.module.css";

type Group = Answer<"/v1/ward/groups">["groups"][number];
type Producer = Answer<"/v1/producers">["producers"][number];

const GROUPS: readonly Column<Group>[] = [
  { name: "State", cell: ({ attention }) => <Status of={attention} /> },
  {
    name: "What fails",
    cell: (group) => (
      <Link to="/inbox/group/$fingerprint" params={{ fingerprint: group.fingerprint }}>
        <GroupName of={group} />
      </Link>
    ),
  },
  { name: "Open", cell: ({ open }) => open.toLocaleString("en"), isNumeric: true },
  { name: "In all", cell: ({ count }) => count.toLocaleString("en"), isNumeric: true },
  { name: "Last", cell: ({ last_seen_ms: at }) => <When at={at} /> },
  { name: "Trend", cell: ({ trend }) => <Trend counts={trend} label="Messages an hour" /> },
];

const PRODUCERS: readonly Column<Producer>[] = [
  { name: "Makes", cell: ({ contract }) => contract },
  { name: "Model", cell: ({ model }) => model ?? "handed on" },
  { name: "Prompt", cell: ({ prompt_version: version }) => version ?? "–" },
  { name: "Outputs", cell: ({ outputs }) => outputs.toLocaleString("en"), isNumeric: true },
  { name: "Malformed", cell: ({ malformed }) => malformed.toLocaleString("en"), isNumeric: true },
  { name: "Rate", cell: ({ rate }) => percent(rate), isNumeric: true },
];

/** What fails at an agent, and how much of what it makes itself is malformed. */
export function AgentFailures({ agent }: { readonly agent: string }) {
  const groups = $api.useQuery("get", "/v1/ward/groups", { params: { query: { text: agent, limit: 50 } } });
  const producers = $api.useQuery("get", "/v1/producers", { params: { query: { span: "two_days" } } });
  const made = producers.data?.producers.filter((one) => one.agent.replace(/@.*/, "") === agent) ?? [];
  return (
    <>
      <Panel title="What fails here">
        <Loaded query={groups}>
          {(page) => (
            <Table
              isCards
              label="Groups of its cases"
              rows={page.groups.filter(({ fingerprint }) => fingerprint.startsWith(`${agent}/`))}
              columns={GROUPS}
              keyOf={({ fingerprint }) => fingerprint}
              empty={<p className={parts.quiet}>None of its messages failed.</p>}
            />
          )}
        </Loaded>
      </Panel>
      {made.length > 0 && (
        <Panel title="What it made in the last two days">
          <Table
            isCards
            label="What it makes"
            rows={made}
            columns={PRODUCERS}
            keyOf={({ contract, model, prompt_version: version }) => `${contract} ${model} ${version}`}
            empty={null}
          />
        </Panel>
      )}
    </>
  );
}
