import { z } from "zod";
import type { EnvelopeMeta } from "./envelope.ts";

const branchSchema = z.strictObject({
  fan_out: z.string().min(1).max(100),
  index: z.int().min(0).max(1_000_000),
  join: z.string().min(1).max(63),
});

/**
 * The fan-out branch of a message. Sealed in `meta.branch`; every message that follows from it inherits it, until its
 * result reaches the agent `join`.
 */
export type Branch = z.output<typeof branchSchema>;

/** What a fan-out writes into the `meta` of its messages. Absent: inherited from the parent. */
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
