import type { StandIn } from "#shared/runtime";
import type { IntakeInput } from "../intake/answer.ts";
import { PORTIONS_MAX } from "../intake/portions.ts";

/** Words of somebody to whom something happens that can wait: all that the stand-in understands. */
const SYMPTOM =
  /(?<!\p{L})(?:hurts?|aches?|pain\p{L}*|sore|headaches?|migraines?|dizz\p{L}*|numb\p{L}*|tingl\p{L}*|palpitations?|racing|skips?|flutter\p{L}*|breath\p{L}*|tired|swollen|swell\p{L}*|trembl\p{L}*|shak\p{L}*|goes to sleep|tremor|blurr\p{L}*|pressure|tight\p{L}*|rash|cough\p{L}*|cramps?|forget\p{L}*|schmerz\p{L}*|weh|schwindel\p{L}*|taub\p{L}*|kribbel\p{L}*|herzrasen|herzklopfen|herzstolpern|kopfschmerz\p{L}*|husten|ausschlag|druck|blutdruck|enge|migra[ñn]as?|palpitaciones|hormigueo|mareos?|dolor\p{L}*|duele|migraines?|palpitations|fourmillements?|vertiges?|douleurs?|mal)(?!\p{L})/iu;
/** Words that make something grave or new: whoever does not understand them all cannot tell. */
const ALARMING =
  /(?<!\p{L})(?:suddenly|sudden|worst|severe|terrible|unbearable|now|today|tonight|yesterday|hours?|hrs?|mins?|minutes? ago|blood\p{L}*|fever|vomit\p{L}*|faint\p{L}*|collaps\p{L}*|confus\p{L}*|pregnan\p{L}*|baby|toddler|child|son|daughter|husband|wife|mum|mother|poison\p{L}*|can'?t|cannot|couldn'?t|plötzlich|heute|gestern|stunden?|blut(?!druck)\p{L}*|fieber|erbroch\p{L}*|ohnmächtig|schwanger|kind|mann|frau|kann nicht|hoy|ayer|horas?|sangre|fiebre|embarazada|hijo|hija|aujourd'?hui|hier|heures?|sang|fièvre|enceinte|fils|fille)(?!\p{L})/iu;
/** Turns in which nothing of the body is told. */
const SMALL_TALK =
  /(?<!\p{L})(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|how are you|thanks?|thank you|appointment|open|opening|prescription|talk to somebody|hallo|guten (?:tag|morgen|abend)|danke|termin|rezept|patienten|hola|buenos días|buenas|gracias|cita|bonjour|bonsoir|merci|rendez-vous|cabinet|buongiorno|grazie)(?!\p{L})/iu;
/** A sentence that begins by denying tells what the patient has not. */
const DENIAL =
  /^\W*(?:no|not|nein|kein\w*|sin|pas|non|aucun\w*|(?:i|we) (?:don['’]t|do not|didn['’]t|haven['’]t|have no)|(?:no|non) (?:tengo|ho)|ich habe? kein\w*|(?:je n['’]|j['’])ai pas)(?!\p{L})/iu;
const QUESTION = "What brings you here today: where does it hurt or what feels wrong, and since when?";
const COMPLAINT_CHARACTERS_MAX = 380;

/**
 * Takes the first two sentences in which the patient tells what is wrong. It cannot tell where something grave or new
 * stands beside them, or where it understands nothing.
 */
const collectTurns: StandIn = ({ turns }: IntakeInput) => {
  const said = turns
    .filter(({ role }) => role === "patient")
    .flatMap(({ text }) => text.split(/(?<=[.!?])\s+/));
  const told = said.filter((sentence) => SYMPTOM.test(sentence) && !DENIAL.test(sentence));
  const complaint = told.slice(0, 2).join(" ").slice(0, COMPLAINT_CHARACTERS_MAX).trim();
  const isUnderstood = complaint.length >= 3 && !told.some((sentence) => ALARMING.test(sentence));
  if (isUnderstood) return { complaint, question: null, emergency: "no" };
  if (complaint.length < 3 && said.every((sentence) => SMALL_TALK.test(sentence)))
    return { complaint: null, question: QUESTION, emergency: "no" };
  return { complaint: complaint.length < 3 ? null : complaint, question: null, emergency: "cannot_tell" };
};

/** By the portion that is read. */
export const COLLECT_STAND_INS: Readonly<Record<string, StandIn>> = Object.fromEntries(
  Array.from({ length: PORTIONS_MAX }, (_, index) => [`collect/${index + 1}`, collectTurns]),
);
