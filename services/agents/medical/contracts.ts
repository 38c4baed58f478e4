import { z } from "zod";
import { contract, sensitive } from "#shared/contract";

const visitId = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/)
  .meta({ "x-locked": true });

const turn = z.object({
  role: z.enum(["patient", "assistant"]),
  text: sensitive(z.string().min(1).max(20_000).meta({ "x-locked": true })),
});

export type Turn = z.output<typeof turn>;

const turns = z.array(turn).min(1).max(200);

const SPECIALTIES = ["cardiology", "neurology"] as const;

export const specialty = z.enum(SPECIALTIES).meta({
  "x-synonyms": {
    cardiology: ["cardiologist", "heart", "cardiac"],
    neurology: ["neurologist", "nerves", "neuro"],
  },
});

export type Specialty = z.output<typeof specialty>;

/** The complaint, in a few words. */
export const complaint = sensitive(z.string().min(3).max(400).meta({ "x-surgeon-writes": true }));

const packet = z.object({
  summary: sensitive(z.string().min(1).max(4000)),
  /** Entities that the conversation names and the summary does not. */
  entities: z.array(z.object({ kind: z.string().max(20), text: sensitive(z.string().max(200)) })).max(60),
  transcript: z.object({ uri: z.string(), turns: z.int(), sha256: z.string() }).nullable(),
});

export const Visit = contract("medical.visit@1", z.object({ visit_id: visitId, turns }), {
  description: "A patient's conversation so far, oldest turn first.",
  check: ({ turns: said }) =>
    said.some(({ role }) => role === "patient")
      ? []
      : [{ path: "/turns", code: "no_patient", message: "the patient has said something" }],
});

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

export const Complaint = contract("medical.complaint@1", z.object({ visit_id: visitId, complaint, turns }), {
  description: "What a patient came for, with the conversation.",
});

export const Case = contract("medical.case@1", z.object({ visit_id: visitId, specialty, complaint, turns }), {
  description: "A complaint with its specialty, on its way to be summed up.",
});

export const Referral = contract(
  "medical.referral@1",
  z.object({ visit_id: visitId, specialty, complaint, packet }),
  { description: "A complaint with the summary of its conversation." },
);

/** Time within which a person of the practice should look. */
export const urgency = z.enum(["routine", "soon", "today"]);

/** Portions that are read at most; the newest is always one of them. */
export const PORTIONS_MAX = 12;

/** Has no pattern and no bound: sensitive data in it is replaced by `[phone]` and the like before the check. */
const text = z.string();

const escalated = z.object({
  /** `for_a_person`: a person says whether it is an emergency. */
  status: z.enum(["emergency", "for_a_person"]),
  visit_id: text,
  signs: z.array(z.object({ sign: text, quote: sensitive(text) })).min(1),
  ticket_id: text,
  /** For the patient, word for word. */
  message: text,
});

const moreNeeded = z.object({
  status: z.literal("more_needed"),
  visit_id: text,
  question: text.nullable(),
  /** Numbers of the turns, from 1, that no model was shown; null: all were shown. */
  unread: z.object({ first: z.int(), last: z.int() }).nullable(),
});

const followUp = z.object({
  status: z.literal("follow_up"),
  visit_id: text,
  specialty: z.enum(SPECIALTIES),
  question: text,
  asks_about: text,
  because: sensitive(text),
  urgency,
  summary: sensitive(text),
  transcript: packet.shape.transcript,
});

export const MedicalResult = contract(
  "medical.result@1",
  z.discriminatedUnion("status", [escalated, moreNeeded, followUp]),
  { description: "An emergency that people were told of, the next question, or a specialist's follow-up." },
);
