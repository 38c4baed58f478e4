import { Background, Controls, MarkerType, Position, ReactFlow } from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import styles from "./graph.module.css";

/** A box of a graph. */
export interface GraphNode {
  readonly id: string;
  readonly label: string;
  readonly isTroubled: boolean;
}

/** An arrow of a graph. */
export interface GraphEdge {
  readonly source: string;
  readonly target: string;
  readonly label?: string | undefined;
  readonly isFailing?: boolean;
  /** True: it leads back, so that its target need not stand behind its source. */
  readonly isLoop?: boolean;
}

interface GraphProps {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Ids of the boxes at which it begins. */
  readonly roots: readonly string[];
  readonly label: string;
  readonly onOpen: (id: string) => void;
}

const [ACROSS, DOWN] = [232, 62];
const [HEIGHT_MIN, HEIGHT_MAX, ROW_HEIGHT] = [100, 460, 24];

/** Boxes in columns and the arrows between them; arrows to the same column or back are dashed. */
export function Graph({ nodes, edges, roots, label, onOpen }: GraphProps) {
  const depthOf = depthsOf(roots, edges);
  const boxes = [...Map.groupBy(nodes, ({ id }) => depthOf(id))].flatMap(([depth, column]) =>
    column.map(({ id, label: name, isTroubled }, row) => ({
      id,
      position: { x: depth * ACROSS, y: (row - column.length / 2) * DOWN },
      data: { label: name },
      sourcePosition: Position.Right,
      targetPosition: Position.Left,
      className: `${styles.node} ${roots.includes(id) && styles.entry} ${isTroubled && styles.troubled}`,
      ariaLabel: name,
    })),
  );
  const ways = edges.map(({ source, target, label: text, isFailing = false }) => {
    const isBack = depthOf(target) <= depthOf(source);
    return {
      id: `${source}>${target}`,
      source,
      target,
      label: text ?? "",
      type: isBack ? "smoothstep" : "default",
      markerEnd: { type: MarkerType.ArrowClosed },
      className: `${styles.way} ${isBack && styles.back} ${isFailing && styles.failing}`,
    };
  });
  const height = Math.min(HEIGHT_MAX, HEIGHT_MIN + ROW_HEIGHT * nodes.length);
  return (
    <div className={styles.graph} style={{ height }}>
      <ReactFlow
        nodes={boxes}
        edges={ways}
        fitView
        fitViewOptions={{ padding: 0.12, maxZoom: 1 }}
        minZoom={0.2}
        colorMode="system"
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        preventScrolling={false}
        zoomOnScroll={false}
        aria-label={label}
        onNodeClick={(_, { id }) => onOpen(id)}
      >
        <Background gap={20} />
        <Controls showInteractive={false} orientation="horizontal" />
      </ReactFlow>
    </div>
  );
}

/** Returns the column of each box, from 0 on the left. Boxes to which no root leads are last. */
function depthsOf(roots: readonly string[], edges: readonly GraphEdge[]): (id: string) => number {
  const depths = new Map(roots.map((id) => [id, 0]));
  // A map is walked in the order of its keys, those that come in on the way included.
  for (const [id, depth] of depths)
    for (const { source, target } of edges)
      if (source === id && !depths.has(target)) depths.set(target, depth + 1);
  // Beyond that, each stands behind all that lead to it, but for loops, which have no last one.
  for (const _ of depths)
    for (const { source, target, isLoop = false } of edges)
      if (!isLoop) depths.set(target, Math.max(depths.get(target) ?? 0, (depths.get(source) ?? 0) + 1));
  const last = Math.max(-1, ...depths.values()) + 1;
  return (id) => depths.get(id) ?? last;
}
