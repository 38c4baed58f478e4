import { lazy, Suspense } from "react";
import { $api } from "../../data/api.ts";
import { counted } from "../../parts/amounts.ts";
import { Choice, useAsked } from "../../parts/filters.tsx";
import { HandoffTable } from "../../parts/handoff-table.tsx";
import type { Handoff } from "../../parts/handoff-table.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { heightOf, layTeam } from "./lay-team.ts";
import type { Team } from "./lay-team.ts";
import { Producers } from "./producers.tsx";
import parts from "../../parts/parts.module.css";
import styles from "./flow.module.css";

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
          const failures = (name: string): number =>
            handoffs.reduce((sum, one) => sum + (one.team === name ? one.failed : 0), 0);
          const team =
            known.find((one) => one.team === chosen) ??
            known.toSorted((a, b) => failures(b.team) - failures(a.team))[0];
          if (team === undefined)
            return <Empty title="No team is loaded.">The console shows those it was started with.</Empty>;
          const rows = worstFirst(handoffs.filter((one) => one.team === team.team));
          // What comes from outside may go to any agent by hand: the picture is of what agents send.
          const own = rows.filter(({ from }) => from !== "gateway");
          const strangers = worstFirst(handoffs.filter((one) => !one.is_declared));
          return (
            <>
              <Panel title={`Handoffs of ${team.team}`} aside={<Summary of={rows} />}>
                <Suspense fallback={<Space team={team} handoffs={own} />}>
                  <Graph key={team.team} team={team} handoffs={own} />
                </Suspense>
                <HandoffTable
                  of={rows}
                  label={`Handoffs of ${team.team}`}
                  empty="Its agents hand nothing on."
                />
              </Panel>
              {strangers.length > 0 && (
                <Panel title="Declared by no team loaded here">
                  <HandoffTable
                    of={strangers}
                    label="Handoffs that no team declares"
                    empty="Its agents hand nothing on."
                  />
                </Panel>
              )}
            </>
          );
        }}
      </Loaded>
      <Producers span={span} />
    </Page>
  );
}

/** As much space as the picture takes once its code is there. */
function Space({ team, handoffs }: { readonly team: Team; readonly handoffs: readonly Handoff[] }) {
  const height = heightOf(layTeam(team, handoffs).tallest);
  return <div className={styles.graph} style={{ height }} aria-busy="true" />;
}

function Summary({ of }: { readonly of: readonly Handoff[] }) {
  const sum = (part: "done" | "failed"): number => of.reduce((total, one) => total + one[part], 0);
  return (
    <span className={parts.quiet}>
      {counted(sum("done"), "handoff")} done / {sum("failed").toLocaleString("en")} failed
    </span>
  );
}

const worstFirst = (rows: readonly Handoff[]): readonly Handoff[] =>
  rows.toSorted((a, b) => b.failed - a.failed || b.done - a.done);
