import { z } from "zod";
import { contract, sensitive } from "#shared/contract";
import { packet, SPECIALTIES } from "./contracts.ts";
import { FollowUpAnswer } from "./specialists/create-specialist.ts";

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
  urgency: FollowUpAnswer.schema.shape.urgency,
  summary: sensitive(text),
  transcript: packet.shape.transcript,
});

/** Contract of the results of this team. */
export const MedicalResult = contract(
  "medical.result@1",
  z.discriminatedUnion("status", [escalated, moreNeeded, followUp]),
  { description: "An emergency that people were told of, the next question, or a specialist's follow-up." },
);
