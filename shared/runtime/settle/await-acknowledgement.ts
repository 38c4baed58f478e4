import { now } from "#shared/clock";
import type { OpenedMessage } from "#shared/store/runs";
import type { Effects } from "#shared/store/settlement";
import type { Delivery, Workplace } from "../deliver/delivery.ts";

/** Returns the receiver's acknowledgement deadline for this agent's handoffs, in ms; null: none. */
export function acknowledgedWithin({ agent, team }: Workplace, to: string): number | null {
  const edge = team.edges.find((one) => one.from === agent.name && one.to === to);
  return edge?.acknowledgeWithinMs ?? null;
}

/** Returns the receivers with an acknowledgement deadline. */
export function awaitedOf({ place }: Delivery, next: readonly OpenedMessage[]): Effects["awaits"] {
  const pending = next.flatMap(({ message_id, agent }) => {
    const withinMs = acknowledgedWithin(place, agent);
    return withinMs === null ? [] : [{ messageId: message_id, agent, dueMs: now() + withinMs }];
  });
  return pending.length === 0 ? undefined : { sender: place.agent.name, pending };
}

/** Returns true if this process takes back unaccepted handoffs. */
export function awaitsAcknowledgement({ agent, team }: Workplace): boolean {
  return team.edges.some((edge) => edge.from === agent.name && edge.acknowledgeWithinMs !== null);
}
