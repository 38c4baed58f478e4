import { Background, Controls, MarkerType, Position, ReactFlow } from "@xyflow/react";
import type { Edge, Node } from "@xyflow/react";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { useWorkforce } from "../../data/agents.ts";
import type { Agent } from "../../data/agents.ts";
import type { Handoff } from "../../parts/handoff-table.tsx";
import { heightOf, layTeam } from "./lay-team.ts";
import type { Team, Way } from "./lay-team.ts";
import "@xyflow/react/dist/style.css";
import styles from "./flow.module.css";

interface GraphProps {
  readonly team: Team;
  readonly handoffs: readonly Handoff[];
}

/** A team's agents and the handoffs between them. Ways back are dashed; the table beneath says the same in words. */
export function Graph({ team, handoffs }: GraphProps) {
  const navigate = useNavigate();
  const { data } = useWorkforce();
  // The overview comes each second; the picture is drawn anew when one of these has changed.
  const [down, open] = [namesOf(data, ({ live }) => live.length === 0), namesOf(data, waitsForModel)];
  const { nodes, edges, tallest } = useMemo(
    () => drawTeam(team, handoffs, { down: down.split(" "), open: open.split(" ") }),
    [team, handoffs, down, open],
  );
  return (
    <div className={styles.graph} style={{ height: heightOf(tallest) }}>
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
    </div>
  );
}

const waitsForModel = ({ live }: Agent): boolean => live.some((one) => one.waits_for_model !== null);

const namesOf = (
  of: { readonly agents: readonly Agent[] } | undefined,
  isOne: (agent: Agent) => boolean,
): string => (of?.agents ?? []).flatMap((one) => (isOne(one) ? [one.agent] : [])).join(" ");

interface Troubled {
  readonly down: readonly string[];
  readonly open: readonly string[];
}

function drawTeam(team: Team, handoffs: readonly Handoff[], { down, open }: Troubled) {
  const { places, ways, tallest } = layTeam(team, handoffs);
  const nodes = places.map(({ name, x, y }): Node => ({
    id: name,
    position: { x, y },
    data: { label: name },
    sourcePosition: Position.Right,
    targetPosition: Position.Left,
    className: [
      styles.agent,
      name === team.entry ? styles.entry : "",
      down.includes(name) ? styles.down : open.includes(name) ? styles.open : "",
    ].join(" "),
    ariaLabel: name,
  }));
  return { nodes, edges: ways.map(drawWay), tallest };
}

function drawWay(way: Way): Edge {
  const { from, to, done, failed, isBack } = way;
  const counts =
    failed > 0
      ? `${done.toLocaleString("en")} / ${failed.toLocaleString("en")}`
      : done > 0
        ? done.toLocaleString("en")
        : "";
  return {
    id: `${from}>${to}`,
    source: from,
    target: to,
    label: counts,
    type: isBack ? "smoothstep" : "default",
    markerEnd: { type: MarkerType.ArrowClosed },
    className: [styles.way, isBack ? styles.back : "", failed > 0 ? styles.failing : ""].join(" "),
  };
}
