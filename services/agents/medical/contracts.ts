import { z } from "zod";
import { contract, sensitive } from "#shared/contract";

const visitId = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/)
  .meta({ "x-locked": true });

/** One turn of the conversation with the patient. */
const turn = z.object({
  role: z.enum(["patient", "assistant"]),
  text: sensitive(z.string().min(1).max(20_000).meta({ "x-locked": true })),
});

export type Turn = z.output<typeof turn>;

const turns = z.array(turn).min(1).max(200);

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

/** Task of a client: the whole conversation so far. */
export const Visit = contract("medical.visit@1", z.object({ visit_id: visitId, turns }), {
  description: "A patient's conversation so far, oldest turn first.",
  check: ({ turns: said }) =>
    said.some(({ role }) => role === "patient")
      ? []
      : [{ path: "/turns", code: "no_patient", message: "the patient has said something" }],
});

/** Words by which something may be an emergency, as the patient said them. */
export const Alarm = contract(
  "medical.alarm@1",
  z.object({
    visit_id: visitId,
    signs: z
      .array(
        z.object({
          sign: z.string().max(40),
          quote: sensitive(z.string().min(1).max(400).meta({ "x-locked": true })),
        }),
      )
      .min(1)
      .max(12),
    /** False: perhaps it is none, which a person has to say. */
    certain: z.boolean().default(true),
  }),
  { description: "Signs of an emergency, for the people on duty.", onContentError: "quarantine" },
);

/** A complaint, with the conversation that it was made in; personal data is taken out. */
export const Complaint = contract("medical.complaint@1", z.object({ visit_id: visitId, complaint, turns }), {
  description: "What a patient came for, with the conversation.",
});

/** The same, with the specialty that it goes to. */
export const Case = contract("medical.case@1", z.object({ visit_id: visitId, specialty, complaint, turns }), {
  description: "A complaint with its specialty, on its way to be summed up.",
});

/** Input of a specialist: the packet alone, and no turn of the conversation. */
export const Referral = contract(
  "medical.referral@1",
  z.object({ visit_id: visitId, specialty, complaint, packet }),
  { description: "A complaint with the summary of its conversation." },
);

/** Portions that are read at most; the newest is always one of them. */
export const PORTIONS_MAX = 12;
