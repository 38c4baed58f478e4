import { z } from "zod";
import type { Envelope, EnvelopeMeta } from "./envelope.ts";

const branchSchema = z.strictObject({
  fan_out: z.string().min(1).max(100),
  index: z.int().min(0).max(1_000_000),
  join: z.string().min(1).max(63),
});

/** The fan-out branch of a message, sealed in `meta.branch`; inherited until its result reaches the agent `join`. */
export type Branch = z.output<typeof branchSchema>;

/** Marks of a fan-out in the `meta` of its messages. Absent: inherited from the parent. */
export interface MessageMarks {
  readonly branch?: Branch;
  /** The fan-out whose branches this message waits for. Not inherited. */
  readonly joins?: string;
}

/** Returns the branch of a message; null if it names none, or an invalid one. */
export function branchOf(meta: EnvelopeMeta): Branch | null {
  const branch = meta["branch"];
  if (branch === undefined) return null;
  return branchSchema.safeParse(branch).data ?? null;
}

/** Returns the fan-out that a message waits for; null if none. */
export function joinOf(meta: EnvelopeMeta): string | null {
  const joins = meta["joins"];
  return typeof joins === "string" ? joins : null;
}

/** Returns a branch in one word, as stored in a run's record. */
export function branchTag({ fan_out, index }: Branch): string {
  return `${fan_out}/${index}`;
}

/** Sends discharges, which replace a dead message and add no hop. */
const SURGEON = "surgeon";

/** Agent id under which the surgeon signs. */
export const SURGEON_ID = `${SURGEON}@1`;

/** `triage` of `triage@1`. */
export function agentNameOf(agentId: string): string {
  return agentId.slice(0, agentId.lastIndexOf("@"));
}

/** Returns the handoffs between agents in a path. The sender of a run's first message and the surgeon add no hop. */
export function hopsOf(path: readonly string[]): number {
  let hops = 0;
  for (let i = 1; i < path.length; i += 1) {
    if (!isSurgeon(path[i] ?? "")) hops += 1;
  }
  return hops;
}

/** Returns the last sender before any discharge, as `name@version`; its edge brought the work. */
export function senderOf(envelope: Envelope): string {
  const { path, source_agent } = envelope.meta;
  return path.findLast((id) => !isSurgeon(id)) ?? source_agent;
}

/** Returns true for an agent id (`name@version`) of the surgeon, of any version. */
export function isSurgeon(agentId: string): boolean {
  return agentId.startsWith(`${SURGEON}@`);
}

/** Returns a field that contradicts the fields it follows from, or undefined. */
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
