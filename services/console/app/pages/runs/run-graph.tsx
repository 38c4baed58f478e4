import { Graph } from "../../parts/graph.tsx";
import { duration, money } from "../../parts/text.ts";
import type { RunInFull } from "./lay-hops.ts";

/** Outcomes of a message that failed, or waits for somebody. */
const TROUBLED = new Set(["rejected", "in_ward", "quarantined", "discarded", "ended"]);

/** Messages of a run, each led to by the one that its agent had; branches stand below each other. */
export default function RunGraph({ run, onOpen }: { run: RunInFull; onOpen: (id: string) => void }) {
  const { hops } = run;
  const ids = hops.map(({ message_id: id }) => id);
  const nodes = hops.map(({ message_id: id, agent, outcome, ms, cost }) => ({
    id,
    label: [agent ?? "unknown", duration(ms), ...(cost > 0 ? [money(cost)] : [])].join(" · "),
    isTroubled: TROUBLED.has(outcome ?? ""),
  }));
  const edges = hops.flatMap(({ message_id: source, next }) =>
    next.flatMap(({ message_id: target }) => (ids.includes(target) ? { source, target } : [])),
  );
  const roots = ids.filter((id) => edges.every(({ target }) => target !== id));
  const label = "Messages of this run, and which led to which";
  return <Graph {...{ nodes, edges, roots, label, onOpen }} />;
}
