import { z } from "zod";
import { readJson } from "#shared/store";

const targetSchema = z.object({
  /** The kind of address. Records of earlier releases lack it: those are of A2A. */
  form: z.enum(["a2a", "run"]).default("a2a"),
  url: z.string(),
  /** Signs what is sent, as Standard Webhooks says; of A2A any text, which is sent too; empty: none. */
  token: z.string(),
  scheme: z.string(),
  credentials: z.string(),
  /** SHA-256 of the secret of the key that asked for it: it is told what that key sees now, while there is that key. */
  key: z.string(),
  /** Status of the run that it was told last; null: none. */
  told: z.string().nullable(),
  failures: z.number(),
});

/** An address that is told how a task goes on, as the run's record keeps it. */
export type PushTarget = z.output<typeof targetSchema>;

/** Returns a target that was told nothing yet, as JSON text. */
export function newTarget(target: Omit<PushTarget, "told" | "failures">): string {
  return JSON.stringify({ ...target, told: null, failures: 0 } satisfies PushTarget);
}

/** Undefined for what cannot be read. */
export function readTarget(text: string): PushTarget | undefined {
  return targetSchema.safeParse(readJson(text)).data;
}
