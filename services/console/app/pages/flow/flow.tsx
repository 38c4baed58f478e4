import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { $api, useWorkforce } from "../../data/api.ts";
import type { Answer } from "../../data/api.ts";
import { Choice, useAsked } from "../../parts/filters.tsx";
import { Graph } from "../../parts/graph.tsx";
import { addressOf, AgentLink } from "../../parts/links.tsx";
import { Empty, Loaded, Page } from "../../parts/page.tsx";
import { HANDOFFS, PRODUCERS, TablePanel } from "../../parts/table.tsx";
import { counted, sum, whole } from "../../parts/text.ts";
import { judgeAgents } from "../agents/agents.tsx";
import parts from "../../parts/parts.module.css";

interface TeamProps {
  readonly team: Answer<"/v1/handoffs">["teams"][number];
  readonly handoffs: Answer<"/v1/handoffs">["handoffs"];
}

/** Handoffs between the agents of a team, and how often they went well; below, producers of malformed outputs. */
export function Flow() {
  const [{ span: asked, team: chosen }] = useAsked();
  const span = asked === "two_days" ? "two_days" : "hour";
  const params = { query: { span } } as const;
  const query = $api.useQuery("get", "/v1/handoffs", { params });
  const producers = $api.useQuery("get", "/v1/producers", { params });
  const made = producers.data?.producers ?? [];
  // The worst first: the surgeon heals data, not causes.
  const bad = made.filter(({ malformed }) => malformed > 0).length;
  const teams = query.data?.teams.map((one) => one.team) ?? [];
  return (
    <Page title="Flow">
      <div className={parts.filters}>
        <Choice name="team" label="Team" options={teams} none="the one with most failures" />
        <Choice name="span" label="Counted over" options={["two_days"]} none="the last hour" />
      </div>
      <Loaded query={query} beside={producers}>
        {({ teams: known, handoffs }) => {
          const worst = handoffs.toSorted((a, b) => b.failed - a.failed || b.done - a.done);
          const named = (name = worst[0]?.team) => known.find((one) => one.team === name);
          const team = named(chosen) ?? named() ?? known[0];
          if (team === undefined)
            return <Empty title="No team is loaded.">The console shows those it was started with.</Empty>;
          const rows = worst.filter((one) => one.team === team.team || !one.is_declared);
          // A message from outside may go to any agent by hand: the picture is of those that agents send.
          const own = rows.filter((one) => one.team === team.team && one.from !== "gateway");
          return (
            <TablePanel
              title={`Handoffs of ${team.team}`}
              rows={rows}
              {...HANDOFFS}
              empty="Its agents hand nothing on."
            >
              <TeamGraph key={team.team} team={team} handoffs={own} />
            </TablePanel>
          );
        }}
      </Loaded>
      <TablePanel
        title={bad === 0 ? "Producers" : `${counted(bad, "producer")} with malformed outputs`}
        query={producers}
        rows={made}
        {...PRODUCERS}
        columns={{ Agent: ({ agent }) => <AgentLink name={agent} />, ...PRODUCERS.columns }}
        empty="Nothing was made in this time: count over two days, or send a task."
      />
    </Page>
  );
}

/** A team's agents and the handoffs between them. The table beneath says the same in words. */
function TeamGraph({ team, handoffs }: TeamProps) {
  const navigate = useNavigate();
  const { data } = useWorkforce();
  // The overview comes each second; the picture is drawn anew when this has changed.
  const workers = data ? judgeAgents(data) : [];
  const troubled = workers.flatMap(({ name, bad }) => (bad.length > 0 ? name : [])).join(" ");
  return useMemo(() => {
    const { entry, agents } = team;
    return (
      <Graph
        nodes={agents.map((id) => ({ id, label: id, isTroubled: troubled.split(" ").includes(id) }))}
        edges={waysOf(team, handoffs)}
        roots={[entry]}
        label={`Agents of ${team.team} and the handoffs between them, from ${entry}`}
        onOpen={(id) => void navigate(addressOf.agent(id))}
      />
    );
  }, [team, handoffs, troubled, navigate]);
}

/** All transitions from one agent to another are one way, whatever their types. */
function waysOf({ agents }: TeamProps["team"], handoffs: TeamProps["handoffs"]) {
  const inside = handoffs.filter(({ from, to }) => agents.includes(from) && agents.includes(to));
  return [...Map.groupBy(inside, ({ from, to }) => `${from}>${to}`)].map(([id, rows]) => {
    const [source = "", target = ""] = id.split(">");
    const [done, failed] = [sum(rows.map((one) => one.done)), sum(rows.map((one) => one.failed))];
    const counts = [done, failed].map(whole);
    const label = failed > 0 ? counts.join(" / ") : done > 0 ? counts[0] : "";
    return { source, target, label, isFailing: failed > 0, isLoop: rows.every(({ loop }) => loop) };
  });
}
