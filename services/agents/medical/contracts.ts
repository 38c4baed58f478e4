import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import { complaint, packet, specialty, turns, visitId } from "./contract-fields.ts";

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
