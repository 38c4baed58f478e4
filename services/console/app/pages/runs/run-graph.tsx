import { Graph } from "../../parts/graph.tsx";
import { duration, money } from "../../parts/text.ts";
import type { RunInFull } from "./lay-hops.ts";

/** Outcomes of a message that failed, or waits for somebody. */
const TROUBLED = new Set(["rejected", "in_ward", "quarantined", "discarded", "ended"]);

/** Messages of a run, each led to by the one that its agent had; branches stand below each other. */
export default function RunGraph({ run, onOpen }: { run: RunInFull; onOpen: (id: string) => void }) {
  const { hops } = run;
  const depthOf = depthsOf(hops);
  const nodes = hops.map(({ message_id: id, agent, outcome, ms, cost }) => ({
    id,
    label: [agent ?? "unknown", duration(ms), ...(cost > 0 ? [money(cost)] : [])].join(" · "),
    depth: depthOf.get(id) ?? 0,
    mark: TROUBLED.has(outcome ?? "")
      ? ("troubled" as const)
      : depthOf.get(id) === 0
        ? ("entry" as const)
        : undefined,
  }));
  const edges = hops.flatMap(({ message_id: source, next }) =>
    next.flatMap(({ message_id: target }) => (depthOf.has(target) ? { source, target } : [])),
  );
  return (
    <Graph nodes={nodes} edges={edges} label="Messages of this run, and which led to which" onOpen={onOpen} />
  );
}

/** Returns how many messages lie before each. A message that several led to stands behind the last of them. */
function depthsOf(hops: RunInFull["hops"]): ReadonlyMap<string, number> {
  const depths = new Map(hops.map(({ message_id: id }) => [id, 0]));
  // Hops are in the order in which they were sent, so those before a message are placed before it.
  for (const { message_id: id, next } of hops)
    for (const { message_id: to } of next)
      if (depths.has(to)) depths.set(to, Math.max(depths.get(to) ?? 0, (depths.get(id) ?? 0) + 1));
  return depths;
}
