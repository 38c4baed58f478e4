import type { StandIn } from "#shared/runtime";
import type { PacketInput } from "../escalation/answer.ts";
import { dropOrdersToMachines } from "../reading/drop-orders-to-machines.ts";
import { foldText } from "../reading/fold-text.ts";
import { hasPhrase } from "../reading/phrase-score.ts";
import { sentencesOf } from "../reading/sentences.ts";
import words from "../reading/words.json" with { type: "json" };

/** Prepares a hand-over from the customer's words and what the agents found. */
export const preparePacket: StandIn = ({ cause, order_id, summary, text, findings }: PacketInput) => {
  const own = dropOrdersToMachines(text).text;
  const found = findings.length === 0 ? "" : ` Found so far: ${findings.join("; ")}.`;
  const order = order_id === null ? "" : ` (order ${order_id})`;
  return {
    headline: `${cause.replaceAll("_", " ")}${order}: ${summary}`.slice(0, 120),
    what_happened: `${summary}${found}`.slice(0, 1000),
    what_is_wanted: (sentencesOf(own).at(-1) ?? summary).slice(0, 1000),
    suggested_next: "Read the customer's message and decide.",
    tone: toneOf(own),
  };
};

function toneOf(text: string): "calm" | "upset" | "angry" {
  const folded = foldText(text);
  if (/!{3,}/.test(text) || hasPhrase(folded, words.tone.anger)) return "angry";
  return hasPhrase(folded, words.tone.worry) ? "upset" : "calm";
}
