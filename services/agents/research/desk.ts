import { CONVERSATION_LIMITS_DEFAULT } from "./limits.ts";
import type { ConversationLimits } from "./limits.ts";
import type { Library } from "./outside/library.ts";

/** What the team works with. */
export interface Desk {
  readonly library: Library;
  /** Default: `CONVERSATION_LIMITS_DEFAULT`. */
  readonly conversationLimits?: Partial<ConversationLimits>;
}

/** The bounds of conversations, defaults filled in. */
export function conversationLimitsOf({ conversationLimits }: Desk): ConversationLimits {
  return { ...CONVERSATION_LIMITS_DEFAULT, ...conversationLimits };
}
