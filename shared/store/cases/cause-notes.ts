import { z } from "zod";
import { readJson } from "#shared/json";
import { StorePart } from "../store-part.ts";

/** A model's answer about the cause of a group: text, which nothing acts on. */
export const causeSchema = z.object({
  what_goes_wrong: z.string(),
  since_when: z.string(),
  change_in: z.enum(["prompt", "contract", "code"]),
  change: z.string(),
});

/** The cause note of a group: asked for, written, or failed with its problem, after which it can be asked for again. */
export const causeNoteSchema = z.object({
  state: z.enum(["asked", "written", "failed"]),
  by: z.string().meta({ description: "Who asked for it." }),
  /** RFC 3339, UTC. */
  at: z.string(),
  text: causeSchema.nullable(),
  problem: z.string().nullable().meta({ description: "Why it could not be written." }),
  model: z.string().nullable(),
  cost: z.number().meta({ description: "USD, as part of what the group's repairs cost." }),
  examples: z.array(z.string()).meta({ description: "Cases that it was written from." }),
});

export type CauseNote = Readonly<z.output<typeof causeNoteSchema>>;

/** Time to live of a note after its last change, in ms. */
const LIFE_MS = 30 * 86_400_000;

/** Stores the cause notes of groups, one each for the whole installation. */
export class CauseNotes extends StorePart {
  async find(fingerprint: string): Promise<CauseNote | null> {
    const text = await this.redis.get(this.key(fingerprint));
    return causeNoteSchema.safeParse(readJson(text ?? "")).data ?? null;
  }

  async set(fingerprint: string, note: CauseNote): Promise<void> {
    await this.redis.set(this.key(fingerprint), JSON.stringify(note), "PX", LIFE_MS);
  }

  private key(fingerprint: string): string {
    return this.keys.ward(`cause:${fingerprint}`);
  }
}
