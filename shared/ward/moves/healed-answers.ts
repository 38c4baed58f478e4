import type { Conversation } from "#shared/envelope";

/** Step under which a discharge lists the codes of guard refusals that a person has overridden. */
export const RELEASED_STEP = "guard/released";

/** Returns the healed answers of a conversation by step. A receiver accepts them from a discharge only. */
export function healedAnswersOf({ tool_state }: Conversation): ReadonlyMap<string, unknown> {
  const present = tool_state["answers"];
  return new Map(typeof present === "object" && present !== null ? Object.entries(present) : []);
}

/** Adds the healed answer of one step; earlier ones stay. */
export function withHealedAnswer(
  conversation: Conversation,
  { step, value }: { readonly step: string; readonly value: unknown },
): Conversation {
  const answers = Object.fromEntries([...healedAnswersOf(conversation), [step, value]]);
  return { ...conversation, tool_state: { ...conversation.tool_state, answers } };
}

/** Removes the healed answers, which belong to the steps of one agent. */
export function withoutHealedAnswers(conversation: Conversation): Conversation {
  if (!("answers" in conversation.tool_state)) return conversation;
  const { answers: _healed, ...toolState } = conversation.tool_state;
  return { ...conversation, tool_state: toolState };
}
