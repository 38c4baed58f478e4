import { Background, Controls, MarkerType, Position, ReactFlow } from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import styles from "./graph.module.css";

/** A box of a graph. */
export interface GraphNode {
  readonly id: string;
  readonly label: string;
  /** Column, from 0 on the left. */
  readonly depth: number;
  /** `entry`: the first one. `troubled`: something is wrong there. */
  readonly mark?: "entry" | "troubled" | undefined;
}

/** An arrow of a graph. */
export interface GraphEdge {
  readonly source: string;
  readonly target: string;
  readonly label?: string | undefined;
  readonly isFailing?: boolean;
}

interface GraphProps {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly label: string;
  readonly onOpen: (id: string) => void;
}

const [ACROSS, DOWN] = [232, 62];
const [HEIGHT_MIN, HEIGHT_MAX, ROW_HEIGHT] = [100, 460, 24];

/** Boxes in columns and the arrows between them; arrows to the same column or back are dashed. */
export function Graph({ nodes, edges, label, onOpen }: GraphProps) {
  const depthOf = new Map(nodes.map(({ id, depth }) => [id, depth]));
  const boxes = [...Map.groupBy(nodes, ({ depth }) => depth)].flatMap(([depth, column]) =>
    column.map(({ id, label: name, mark }, row) => ({
      id,
      position: { x: depth * ACROSS, y: (row - column.length / 2) * DOWN },
      data: { label: name },
      sourcePosition: Position.Right,
      targetPosition: Position.Left,
      className: `${styles.node} ${mark === undefined ? "" : styles[mark]}`,
      ariaLabel: name,
    })),
  );
  const ways = edges.map(({ source, target, label: text, isFailing = false }) => {
    const isBack = (depthOf.get(target) ?? 0) <= (depthOf.get(source) ?? 0);
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
