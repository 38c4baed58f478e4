import { lazy, Suspense } from "react";
import { $api } from "../../data/api.ts";
import type { Answer } from "../../data/api.ts";
import { Choice, useAsked } from "../../parts/filters.tsx";
import { AgentLink } from "../../parts/links.tsx";
import { Empty, Loaded, Page } from "../../parts/page.tsx";
import { HANDOFFS, PRODUCERS, TablePanel } from "../../parts/table.tsx";
import { counted } from "../../parts/text.ts";
import parts from "../../parts/parts.module.css";
import styles from "./flow.module.css";

type Team = Answer<"/v1/handoffs">["teams"][number];
type Handoffs = Answer<"/v1/handoffs">["handoffs"];

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
  // A message from outside may go to any agent by hand: the picture is of those that agents send.
  const own = rows.filter((one) => one.team === team.team && one.from !== "gateway");
  return (
    <TablePanel
      title={`Handoffs of ${team.team}`}
      rows={rows}
      {...HANDOFFS}
      empty={<p className={parts.quiet}>Its agents hand nothing on.</p>}
    >
      <div className={styles.graph} style={{ height: Math.min(460, 100 + 24 * team.agents.length) }}>
        <Suspense>
          <Graph team={team} handoffs={own} />
        </Suspense>
      </div>
    </TablePanel>
  );
}

/** Producers of malformed outputs, the worst first: the surgeon heals data, not causes. */
function Producers({ span }: { readonly span: "hour" | "two_days" }) {
  const query = $api.useQuery("get", "/v1/producers", { params: { query: { span } } });
  const producers = query.data?.producers ?? [];
  const bad = producers.filter(({ malformed }) => malformed > 0).length;
  return (
    <TablePanel
      title={bad === 0 ? "Producers" : `${counted(bad, "producer")} with malformed outputs`}
      query={query}
      rows={producers}
      {...PRODUCERS}
      columns={{ Agent: ({ agent }) => <AgentLink name={agent} />, ...PRODUCERS.columns }}
      empty={<p>Nothing was made in this time: count over two days, or send a task.</p>}
    />
  );
}
