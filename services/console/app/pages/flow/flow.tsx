import { lazy, Suspense } from "react";
import { $api } from "../../data/api.ts";
import type { Answer } from "../../data/answers.ts";
import { counted, percent } from "../../parts/amounts.ts";
import { Choice, useAsked } from "../../parts/filters.tsx";
import { HandoffTable } from "../../parts/handoff-table.tsx";
import { AgentLink } from "../../parts/links.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import type { Column } from "../../parts/table.tsx";
import { Trend } from "../../parts/trend.tsx";
import { layTeam } from "./lay-team.ts";
import type { Team } from "./lay-team.ts";
import parts from "../../parts/parts.module.css";
import styles from "./flow.module.css";

type Handoffs = Answer<"/v1/handoffs">["handoffs"];
type Rates = Answer<"/v1/producers">;

const Graph = lazy(async () => ({ default: (await import("./graph.tsx")).Graph }));

/** Who hands what to whom in a team, and how often that went well; below, who makes malformed outputs. */
export function Flow() {
  const [{ span: asked, team: chosen }] = useAsked();
  const span = asked === "two_days" ? "two_days" : "hour";
  const query = $api.useQuery("get", "/v1/handoffs", { params: { query: { span } } });
  const teams = query.data?.teams.map((one) => one.team) ?? [];
  return (
    <Page title="Flow">
      <div className={parts.filters}>
        <Choice name="team" label="Team" options={teams} none="the one with most failures" />
        <Choice name="span" label="Counted over" options={["two_days"]} none="the last hour" />
      </div>
      <Loaded query={query}>
        {({ teams: known, handoffs }) => {
          const worst = handoffs.toSorted((a, b) => b.failed - a.failed || b.done - a.done);
          const named = (name = worst[0]?.team) => known.find((one) => one.team === name);
          const team = named(chosen) ?? named() ?? known[0];
          if (team === undefined)
            return <Empty title="No team is loaded.">The console shows those it was started with.</Empty>;
          return <OneTeam key={team.team} team={team} handoffs={worst} />;
        }}
      </Loaded>
      <Producers span={span} />
    </Page>
  );
}

/** Handoffs of a team, and those that no team here declares. */
function OneTeam({ team, handoffs }: { readonly team: Team; readonly handoffs: Handoffs }) {
  const rows = handoffs.filter((one) => one.team === team.team || !one.is_declared);
  // What comes from outside may go to any agent by hand: the picture is of what agents send.
  const own = rows.filter((one) => one.team === team.team && one.from !== "gateway");
  const laid = layTeam(team, own);
  return (
    <Panel title={`Handoffs of ${team.team}`}>
      <div className={styles.graph} style={{ height: laid.height }}>
        <Suspense>
          <Graph team={team} laid={laid} />
        </Suspense>
      </div>
      <HandoffTable of={rows} label={`Handoffs of ${team.team}`} empty="Its agents hand nothing on." />
    </Panel>
  );
}

const COLUMNS: readonly Column<Rates["producers"][number]>[] = [
  { name: "Agent", cell: ({ agent }) => <AgentLink name={agent} /> },
  { name: "Contract", cell: ({ contract }) => contract },
  { name: "Model", cell: ({ model }) => model ?? "handed on" },
  { name: "Prompt", cell: ({ prompt_version: version }) => version ?? "–" },
  { name: "Outputs", cell: ({ outputs }) => outputs.toLocaleString("en"), isNumeric: true },
  { name: "Malformed", cell: ({ malformed }) => malformed.toLocaleString("en"), isNumeric: true },
  {
    name: "Rate",
    cell: ({ rate, malformed }) => <span className={malformed > 0 ? parts.bad : ""}>{percent(rate)}</span>,
    isNumeric: true,
  },
  {
    name: "Trend",
    cell: ({ trend: { outputs, malformed } }) => (
      <Trend counts={outputs} bad={malformed} label="Outputs over time, and those that were malformed" />
    ),
  },
];

/** Who makes malformed outputs, the worst first: the surgeon heals data, not causes. */
function Producers({ span }: { readonly span: Rates["span"] }) {
  const query = $api.useQuery("get", "/v1/producers", { params: { query: { span } } });
  const bad = query.data?.producers.filter(({ malformed }) => malformed > 0).length ?? 0;
  return (
    <Panel title={bad === 0 ? "Producers" : `${counted(bad, "producer")} with malformed outputs`}>
      <Loaded query={query}>
        {({ producers }) => (
          <Table
            isCards
            label="Producers, the worst first"
            rows={producers}
            columns={COLUMNS}
            keyOf={(one) => `${one.agent} ${one.contract} ${one.model} ${one.prompt_version}`}
            empty={<p>Nothing was made in this time: count over two days, or send a task.</p>}
          />
        )}
      </Loaded>
    </Panel>
  );
}
