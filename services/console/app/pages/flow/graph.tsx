import { Background, Controls, MarkerType, Position, ReactFlow } from "@xyflow/react";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { useWorkforce } from "../../data/agents.ts";
import type { Agent } from "../../data/agents.ts";
import type { Laid, Team } from "./lay-team.ts";
import "@xyflow/react/dist/style.css";
import styles from "./flow.module.css";

const isTroubled = ({ live }: Agent): boolean =>
  live.length === 0 || live.some((one) => one.waits_for_model !== null);

/** A team's agents and the handoffs between them. Ways back are dashed; the table beneath says the same in words. */
export function Graph({ team, laid }: { readonly team: Team; readonly laid: Laid }) {
  const navigate = useNavigate();
  const { data } = useWorkforce();
  // The overview comes each second; the picture is drawn anew when this has changed.
  const troubled = data?.agents.map((one) => (isTroubled(one) ? ` ${one.agent} ` : "")).join("") ?? "";
  const nodes = useMemo(
    () =>
      laid.places.map(({ name, ...position }) => ({
        id: name,
        position,
        data: { label: name },
        sourcePosition: Position.Right,
        targetPosition: Position.Left,
        className: [
          styles.agent,
          name === team.entry && styles.entry,
          troubled.includes(` ${name} `) && styles.troubled,
        ].join(" "),
        ariaLabel: name,
      })),
    [team, laid, troubled],
  );
  const edges = useMemo(() => laid.ways.map(drawWay), [laid]);
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
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

function drawWay({ id, from, to, done, failed, isBack }: Laid["ways"][number]) {
  const counts = [done, failed].map((count) => count.toLocaleString("en"));
  return {
    id,
    source: from,
    target: to,
    label: failed > 0 ? counts.join(" / ") : done > 0 ? counts[0] : "",
    type: isBack ? "smoothstep" : "default",
    markerEnd: { type: MarkerType.ArrowClosed },
    className: `${styles.way} ${isBack && styles.back} ${failed > 0 && styles.failing}`,
  };
}
