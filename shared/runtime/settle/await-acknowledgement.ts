import { now } from "#shared/clock";
import type { OpenedMessage } from "#shared/store/runs";
import type { OutboxEntry } from "#shared/store/settlement";
import type { Delivery, Workplace } from "../deliver/delivery.ts";

/** How long this receiver has to accept what the agent hands to it, in ms; null: nobody waits for that. */
export function acknowledgedWithin({ agent, team }: Workplace, to: string): number | null {
  const edge = team.edges.find((one) => one.from === agent.name && one.to === to);
  return edge?.acknowledgeWithinMs ?? null;
}

/** Receivers whose edge says by when they must accept. Of an isolated agent the relay knows by itself. */
export function awaitedOf({ place }: Delivery, next: readonly OpenedMessage[]): OutboxEntry["awaits"] {
  if (place.store.isIsolated) return undefined;
  const pending = next.flatMap(({ message_id, agent }) => {
    const withinMs = acknowledgedWithin(place, agent);
    return withinMs === null ? [] : [{ messageId: message_id, agent, dueMs: now() + withinMs }];
  });
  return pending.length === 0 ? undefined : { sender: place.agent.name, pending };
}

/** Whether this process takes back what the agent's receivers do not accept. Of an isolated agent the relay does. */
export function awaitsAcknowledgement({ agent, team, store }: Workplace): boolean {
  if (store.isIsolated) return false;
  return team.edges.some((edge) => edge.from === agent.name && edge.acknowledgeWithinMs !== null);
}
