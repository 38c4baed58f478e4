import { openToolState } from "#shared/context";
import type { Conversation, Envelope } from "#shared/envelope";
import { carryTaint, narrowScope, SCOPE_FIELD, scopeOf, TAINT_FIELD } from "#shared/guard";
import { withoutHealedAnswers } from "#shared/ward/moves";
import type { HandoffDraft } from "../define/define-agent.ts";
import type { Delivery, Message } from "./delivery.ts";
import { labelsOfDelivery } from "./guard-state.ts";

/**
 * Returns the conversation of a handoff: the incoming one or the handler's replacement, without parts meant for this
 * agent only, and with the taint labels of everything that this agent has read.
 */
export function conversationFor(
  delivery: Pick<Delivery, "guard" | "received">,
  { message, draft }: { readonly message: Message; readonly draft: HandoffDraft },
): Conversation {
  const { to, options } = draft;
  const came = message.envelope.conversation;
  const own = options.conversation === undefined ? came : { ...came, ...options.conversation };
  const preserved = options.preserveHistory === false ? withoutHistory(own) : withoutHealedAnswers(own);
  const labels = labelsOfDelivery(delivery, message);
  if (labels.length === 0) return preserved;
  const taint = carryTaint(labels, delivery.guard?.declared.clean?.[to] ?? []);
  if (taint === null) return preserved;
  return { ...preserved, metadata: { ...preserved.metadata, [TAINT_FIELD]: taint } };
}

/** Drops the history but keeps open calls, which nothing else would end. */
function withoutHistory(conversation: Conversation): Conversation {
  return { history: [], tool_state: openToolState(conversation), metadata: {} };
}

/** Narrows a child's scope as its sender asks; by default the child has its parent's. */
export function withScope(
  envelope: Envelope,
  { parent, asked }: { readonly parent: Envelope; readonly asked: readonly string[] | undefined },
): Envelope {
  if (asked === undefined) return envelope;
  const scope = narrowScope(scopeOf(parent.meta), asked);
  return { ...envelope, meta: { ...envelope.meta, [SCOPE_FIELD]: [...scope] } };
}
