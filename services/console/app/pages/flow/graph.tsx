import { Background, Controls, MarkerType, Position, ReactFlow } from "@xyflow/react";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { useWorkforce } from "../../data/api.ts";
import type { Agent, Answer } from "../../data/api.ts";
import type { Handoff } from "../../parts/table.tsx";
import "@xyflow/react/dist/style.css";
import styles from "./flow.module.css";

interface GraphProps {
  readonly team: Answer<"/v1/handoffs">["teams"][number];
  readonly handoffs: readonly Handoff[];
}

const [ACROSS, DOWN] = [232, 62];

const isTroubled = ({ live }: Agent): boolean =>
  live.length === 0 || live.some((one) => one.waits_for_model !== null);

/** A team's agents and the handoffs between them. Ways back are dashed; the table beneath says the same in words. */
export function Graph({ team, handoffs }: GraphProps) {
  const navigate = useNavigate();
  const { data } = useWorkforce();
  // The overview comes each second; the picture is drawn anew when this has changed.
  const troubled = data?.agents.flatMap((one) => (isTroubled(one) ? one.agent : [])).join(" ") ?? "";
  const laid = useMemo(() => {
    const depthOf = depthsOf(team, handoffs);
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
      onNodeClick={(_, { id }) => void navigate({ to: "/agents/$agent", params: { agent: id } })}
    >
      <Background gap={20} />
      <Controls showInteractive={false} orientation="horizontal" />
    </ReactFlow>
  );
}

type Depth = (name: string) => number;

/** Places agents in columns, by how late a run comes to them. */
function drawAgents({ entry, agents }: GraphProps["team"], depthOf: Depth, troubled: readonly string[]) {
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
function drawWays({ agents }: GraphProps["team"], depthOf: Depth, handoffs: readonly Handoff[]) {
  const inside = handoffs.filter(({ from, to }) => agents.includes(from) && agents.includes(to));
  return [...Map.groupBy(inside, ({ from, to }) => `${from}>${to}`)].map(([id, rows]) => {
    const [source = "", target = ""] = id.split(">");
    const done = rows.reduce((sum, one) => sum + one.done, 0);
    const failed = rows.reduce((sum, one) => sum + one.failed, 0);
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
function depthsOf({ entry }: GraphProps["team"], handoffs: readonly Handoff[]): Depth {
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
