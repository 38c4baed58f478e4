import { z } from "zod";
import { sensitive } from "#shared/contract";

export const visitId = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/)
  .meta({ "x-locked": true });

/** One turn of the conversation with the patient. */
export const turn = z.object({
  role: z.enum(["patient", "assistant"]),
  text: sensitive(z.string().min(1).max(20_000).meta({ "x-locked": true })),
});

export type Turn = z.output<typeof turn>;

export const turns = z.array(turn).min(1).max(200);

export const SPECIALTIES = ["cardiology", "neurology"] as const;

export const specialty = z.enum(SPECIALTIES).meta({
  "x-synonyms": {
    cardiology: ["cardiologist", "heart", "cardiac"],
    neurology: ["neurologist", "nerves", "neuro"],
  },
});

export type Specialty = z.output<typeof specialty>;

/** The complaint, in a few words. */
export const complaint = sensitive(z.string().min(3).max(400).meta({ "x-surgeon-writes": true }));

/** Summary and entities of a long conversation, with its transcript. */
export const packet = z.object({
  summary: sensitive(z.string().min(1).max(4000)),
  /** Entities that the conversation names and the summary does not. */
  entities: z.array(z.object({ kind: z.string().max(20), text: sensitive(z.string().max(200)) })).max(60),
  transcript: z.object({ uri: z.string(), turns: z.int(), sha256: z.string() }).nullable(),
});
