import type { Delivery } from "./delivery.ts";

/** The answer that the surgeon proved and signed, or a person's word. Only a letter it discharged may bring one. */
export function healedAnswerOf(delivery: Pick<Delivery, "letter">, step: string): unknown {
  const envelope = delivery.letter?.envelope;
  if (envelope === undefined || !envelope.meta.source_agent.startsWith("surgeon@")) return undefined;
  const answers = envelope.conversation.tool_state["answers"];
  if (typeof answers !== "object" || answers === null || !Object.hasOwn(answers, step)) return undefined;
  return Object.entries(answers).find(([name]) => name === step)?.[1];
}
