import { CONVERSATION_LIMITS_DEFAULT } from "./limits.ts";
import type { ConversationLimits } from "./limits.ts";
import type { Library } from "./outside/library.ts";

/** The library and limits that the research team works with. */
export interface ResearchSetup {
  readonly library: Library;
  /** Default: `CONVERSATION_LIMITS_DEFAULT`. */
  readonly conversationLimits?: Partial<ConversationLimits>;
  /** Timeout of a researcher, in ms. Default 90,000. */
  readonly roundMs?: number;
}

/** Returns the limits of conversations with their defaults. */
export function conversationLimitsOf({ conversationLimits }: ResearchSetup): ConversationLimits {
  return { ...CONVERSATION_LIMITS_DEFAULT, ...conversationLimits };
}
