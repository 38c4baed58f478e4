import type { StandIn } from "#shared/runtime";
import { dropOrdersToMachines } from "../reading/drop-orders-to-machines.ts";
import { foldText } from "../reading/fold-text.ts";
import { hasPhrase } from "../reading/phrase-score.ts";
import { sentencesOf } from "../reading/sentences.ts";
import type { PacketInput } from "../escalation/answer.ts";
import words from "./words.json" with { type: "json" };

const WISH =
  / (?:want|would like|please|demand|request|need|bitte|mochte|fordere|je veux|merci de|souhaite|quiero|solicito|gustaria|vorrei|chiedo|prosze|chce|quero|gostaria|wil|graag) /;

const NEXT: Readonly<Record<string, string>> = {
  legal_threat: "Pass it to the legal desk and confirm receipt without admitting anything.",
  safety: "Call the customer today, stop the product's sale until it is checked.",
  privacy: "Pass it to the data protection officer; a legal period runs from today.",
  press: "Pass it to the press office.",
  over_limit: "Check the order and decide on the refund.",
  conflicting_facts: "Compare the order with what the customer says and decide.",
  payout_elsewhere: "Verify who is asking before any money moves.",
  critical_incident: "Wake the engineer on call.",
  unclear: "Ask the customer what they need.",
};

/** Prepares a hand-over from the customer's words and what the agents found. */
export const preparePacket: StandIn = (input: PacketInput) => {
  const sifted = dropOrdersToMachines(input.text);
  const sentences = sentencesOf(sifted.text);
  const wish = sentences.find((sentence) => WISH.test(foldText(sentence)));
  const found = input.findings.length === 0 ? "" : ` Found so far: ${input.findings.join("; ")}.`;
  const orders = sifted.hadOrders ? " The e-mail also gave orders to machines; they were left out." : "";
  const order = input.order_id === null ? "" : ` (order ${input.order_id})`;
  return {
    headline: `${input.cause.replaceAll("_", " ")}${order}: ${input.summary}`.slice(0, 120),
    what_happened: `${input.summary}${found}${orders}`.slice(0, 1000),
    what_is_wanted: (wish ?? sentences.at(-1) ?? input.summary).slice(0, 1000),
    suggested_next: NEXT[input.cause] ?? "Read the customer's message and decide.",
    tone: toneOf(sifted.text),
  };
};

function toneOf(text: string): "calm" | "upset" | "angry" {
  const folded = foldText(text);
  const letters = text.replaceAll(/\P{L}/gu, "");
  const isShouted = letters.length > 20 && letters.replaceAll(/\P{Lu}/gu, "").length > 0.6 * letters.length;
  if (isShouted || /!{3,}/.test(text) || hasPhrase(folded, words.tone.anger)) return "angry";
  return hasPhrase(folded, words.tone.worry) ? "upset" : "calm";
}
