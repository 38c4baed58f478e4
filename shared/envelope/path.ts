import type { Envelope } from "./envelope.ts";

/** Name of the surgeon, which sends discharges: they stand in a dead message's place and make no hop. */
const SURGEON = "surgeon";

/** Agent id under which the surgeon signs. */
export const SURGEON_ID = `${SURGEON}@1`;

/** `triage` of `triage@1`. */
export function agentNameOf(agentId: string): string {
  return agentId.slice(0, agentId.lastIndexOf("@"));
}

/** Handoffs between agents that a path tells of. The sender of a run's first message and the surgeon make no hop. */
export function hopsOf(path: readonly string[]): number {
  let hops = 0;
  for (let i = 1; i < path.length; i += 1) {
    if (!isSurgeon(path[i] ?? "")) hops += 1;
  }
  return hops;
}

/** The last in the path before the surgeon's discharges, `name@version`: along whose edge the work came. */
export function senderOf(envelope: Envelope): string {
  const { path, source_agent } = envelope.meta;
  return path.findLast((id) => !isSurgeon(id)) ?? source_agent;
}

/** Whether an agent id (`name@version`) is the surgeon's, of whatever version. */
export function isSurgeon(agentId: string): boolean {
  return agentId.startsWith(`${SURGEON}@`);
}

/** A field that says something else than the fields it must follow from, or undefined. */
export function findContradiction(
  envelope: Envelope,
): { readonly path: string; readonly problem: string } | undefined {
  const { path, hop_count, source_agent, traceparent, trace_id } = envelope.meta;
  if (hop_count !== hopsOf(path)) return { path: "/meta/hop_count", problem: "differs from the path" };
  if (path.at(-1) !== source_agent)
    return { path: "/meta/source_agent", problem: "is not the end of the path" };
  if (traceparent.slice(3, 35) !== trace_id)
    return { path: "/meta/trace_id", problem: "differs from the traceparent" };
  return undefined;
}
