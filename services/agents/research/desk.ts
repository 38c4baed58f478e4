import { CONVERSATION_LIMITS_DEFAULT } from "./limits.ts";
import type { ConversationLimits } from "./limits.ts";
import type { Library } from "./outside/library.ts";

/** What the team works with. */
export interface Desk {
  readonly library: Library;
  /** Default: `CONVERSATION_LIMITS_DEFAULT`. */
  readonly conversationLimits?: Partial<ConversationLimits>;
  /** Until a researcher that has not come back counts as failed, in ms. Default 90,000. */
  readonly roundMs?: number;
}

/** The bounds of conversations, defaults filled in. */
export function conversationLimitsOf({ conversationLimits }: Desk): ConversationLimits {
  return { ...CONVERSATION_LIMITS_DEFAULT, ...conversationLimits };
}
