import { z } from "zod";
import type { EnvelopeMeta } from "./envelope.ts";

const branchSchema = z.strictObject({
  fan_out: z.string().min(1).max(100),
  index: z.int().min(0).max(1_000_000),
  join: z.string().min(1).max(63),
});

/**
 * Which branch of which fan-out a message belongs to. Sealed in `meta.branch`; every message that follows from it
 * inherits it, until its result is with the agent `join`.
 */
export type Branch = z.output<typeof branchSchema>;

/** What a fan-out writes into the `meta` of the messages it makes. Absent: as the parent has it. */
export interface MessageMarks {
  readonly branch?: Branch;
  /** The fan-out whose branches this message waits for. Never inherited. */
  readonly joins?: string;
}

/** The branch that a message belongs to; null for one that names none, or none that makes sense. */
export function branchOf(meta: EnvelopeMeta): Branch | null {
  const branch = meta["branch"];
  if (branch === undefined) return null;
  return branchSchema.safeParse(branch).data ?? null;
}

/** The fan-out that a message waits for; null for one that waits for none. */
export function joinOf(meta: EnvelopeMeta): string | null {
  const joins = meta["joins"];
  return typeof joins === "string" ? joins : null;
}

/** A branch in one word, as a run's record keeps it. */
export function branchTag({ fan_out, index }: Branch): string {
  return `${fan_out}/${index}`;
}
