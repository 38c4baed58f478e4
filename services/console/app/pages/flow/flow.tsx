import { Background, Controls, MarkerType, Position, ReactFlow } from "@xyflow/react";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { $api, useWorkforce } from "../../data/api.ts";
import type { Agent, Answer } from "../../data/api.ts";
import { Choice, useAsked } from "../../parts/filters.tsx";
import { addressOf, AgentLink } from "../../parts/links.tsx";
import { Empty, Loaded, Page } from "../../parts/page.tsx";
import { HANDOFFS, PRODUCERS, TablePanel } from "../../parts/table.tsx";
import { counted, sum } from "../../parts/text.ts";
import "@xyflow/react/dist/style.css";
import parts from "../../parts/parts.module.css";
import styles from "./flow.module.css";

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
      <Loaded query={query}>
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
              <div className={styles.graph} style={{ height: Math.min(460, 100 + 24 * team.agents.length) }}>
                <Graph key={team.team} team={team} handoffs={own} />
              </div>
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

const [ACROSS, DOWN] = [232, 62];

const isTroubled = ({ live }: Agent): boolean =>
  live.length === 0 || live.some((one) => one.waits_for_model !== null);

/** A team's agents and the handoffs between them. Ways back are dashed; the table beneath says the same in words. */
function Graph({ team, handoffs }: TeamProps) {
  const navigate = useNavigate();
  const { data } = useWorkforce();
  // The overview comes each second; the picture is drawn anew when this has changed.
  const troubled = data?.agents.flatMap((one) => (isTroubled(one) ? one.agent : [])).join(" ") ?? "";
  const laid = useMemo(() => {
    const depthOf = depthsOf(team.entry, handoffs);
    return {
      nodes: drawAgents(team, depthOf, troubled.split(" ")),
      edges: drawWays(team, depthOf, handoffs),
    };
  }, [team, handoffs, troubled]);
  return (
    <ReactFlow
      {...laid}
      fitView
      fitViewOptions={{ padding: 0.12, maxZoom: 1 }}
      minZoom={0.2}
      colorMode="system"
      nodesDraggable={false}
      nodesConnectable={false}
      edgesFocusable={false}
      preventScrolling={false}
      zoomOnScroll={false}
      aria-label={`Agents of ${team.team} and the handoffs between them, from ${team.entry}`}
      onNodeClick={(_, { id }) => void navigate(addressOf.agent(id))}
    >
      <Background gap={20} />
      <Controls showInteractive={false} orientation="horizontal" />
    </ReactFlow>
  );
}

type Depth = (name: string) => number;

/** Places agents in columns, by how late a run comes to them. */
function drawAgents({ entry, agents }: TeamProps["team"], depthOf: Depth, troubled: readonly string[]) {
  return [...Map.groupBy(agents, depthOf)].flatMap(([depth, names]) =>
    names.map((name, row) => ({
      id: name,
      position: { x: depth * ACROSS, y: (row - names.length / 2) * DOWN },
      data: { label: name },
      sourcePosition: Position.Right,
      targetPosition: Position.Left,
      className: [
        styles.agent,
        name === entry && styles.entry,
        troubled.includes(name) && styles.troubled,
      ].join(" "),
      ariaLabel: name,
    })),
  );
}

/** All transitions from one agent to another are one way, whatever their types. */
function drawWays({ agents }: TeamProps["team"], depthOf: Depth, handoffs: TeamProps["handoffs"]) {
  const inside = handoffs.filter(({ from, to }) => agents.includes(from) && agents.includes(to));
  return [...Map.groupBy(inside, ({ from, to }) => `${from}>${to}`)].map(([id, rows]) => {
    const [source = "", target = ""] = id.split(">");
    const [done, failed] = [sum(rows.map((one) => one.done)), sum(rows.map((one) => one.failed))];
    // It leads to an agent as near to the entry, or nearer.
    const isBack = depthOf(target) <= depthOf(source);
    const counts = [done, failed].map((count) => count.toLocaleString("en"));
    return {
      id,
      source,
      target,
      label: failed > 0 ? counts.join(" / ") : done > 0 ? counts[0] : "",
      type: isBack ? "smoothstep" : "default",
      markerEnd: { type: MarkerType.ArrowClosed },
      className: `${styles.way} ${isBack && styles.back} ${failed > 0 && styles.failing}`,
    };
  });
}

/** Returns how late a run comes to an agent of a team. Those that it cannot come to are last. */
function depthsOf(entry: string, handoffs: TeamProps["handoffs"]): Depth {
  const depths = new Map([[entry, 0]]);
  // A map is walked in the order of its keys, those that come in on the way included.
  for (const [name, depth] of depths)
    for (const { from, to } of handoffs) if (from === name && !depths.has(to)) depths.set(to, depth + 1);
  // Beyond that, each stands behind all that hand to it, but for loops, which have no last one.
  for (const _ of depths)
    for (const { from, to, loop } of handoffs)
      if (!loop) depths.set(to, Math.max(depths.get(to) ?? 0, (depths.get(from) ?? 0) + 1));
  const last = Math.max(...depths.values()) + 1;
  return (name) => depths.get(name) ?? last;
}
