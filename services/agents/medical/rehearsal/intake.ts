import type { StandIn } from "#shared/runtime";
import type { IntakeInput } from "../intake/answer.ts";
import { PORTIONS_MAX } from "../intake/portions.ts";

/** Words of somebody to whom something happens. */
const SYMPTOM =
  /\b(?:hurts?|aches?|pain\w*|sore|headaches?|migraines?|dizz\w*|numb\w*|tingl\w*|palpitations?|racing|skips?|flutter\w*|breath\w*|short of breath|faint\w*|tired|swollen|swelling|weak\w*|trembl\w*|tremor|blurr\w*|vision|pressure|tight\w*|rash|cough\w*|fever|nausea|cramps?|forget\w*|schmerz\w*|weh|schwindel\w*|taub\w*|kribbel\w*|herzrasen|herzklopfen|atemnot|kopfschmerz\w*|übel\w*|husten|fieber|ausschlag|druck|blutdruck|enge)\b/i;
const QUESTION = "What brings you here today: where does it hurt or what feels wrong, and since when?";
const COMPLAINT_CHARACTERS_MAX = 380;

/** Takes the first two sentences in which the patient tells what is wrong. */
const collectTurns: StandIn = ({ turns }: IntakeInput) => {
  const told = turns
    .filter(({ role }) => role === "patient")
    .flatMap(({ text }) => text.split(/(?<=[.!?])\s+/))
    .filter((sentence) => SYMPTOM.test(sentence));
  const complaint = told.slice(0, 2).join(" ").slice(0, COMPLAINT_CHARACTERS_MAX).trim();
  return complaint.length < 3
    ? { complaint: null, question: QUESTION, may_be_emergency: false }
    : { complaint, question: null, may_be_emergency: false };
};

/** By the portion that is read. */
export const COLLECT_STAND_INS: Readonly<Record<string, StandIn>> = Object.fromEntries(
  Array.from({ length: PORTIONS_MAX }, (_, index) => [`collect/${index + 1}`, collectTurns]),
);
