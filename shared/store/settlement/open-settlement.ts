import { Cluster } from "ioredis";
import type { Keys } from "../keys.ts";
import type { HandoffQueues } from "../queues/handoff-queues.ts";
import type { RunJournal } from "../runs/journal.ts";
import type { RedisClient } from "../script.ts";
import { ByOutbox } from "./by-outbox.ts";
import { OneScript } from "./one-script.ts";
import type { Outbox } from "./outbox.ts";
import type { Settlement } from "./settlement.ts";

interface SettlementParts {
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly queues: HandoffQueues;
  readonly journal: RunJournal;
  readonly outbox: Outbox;
}

/**
 * Selects the settlement's adapter; nothing else does.
 *
 * @param how.isReplicated - Replicated mode publishes nothing before replicas confirm it, so the outcome is
 * committed on its own first.
 */
export function openSettlement(
  parts: SettlementParts,
  how: {
    readonly asked: "together" | "outbox" | undefined;
    readonly isIsolated: boolean;
    readonly isReplicated: boolean;
    readonly onError: (error: Error) => void;
  },
): Settlement {
  const { redis, keys, queues, journal, outbox } = parts;
  const byOutbox = new ByOutbox(outbox, null, (error) =>
    how.onError(error instanceof Error ? error : new Error("an entry of the outbox could not be delivered")),
  );
  const holdsEverySlot =
    !(redis instanceof Cluster) && how.asked !== "outbox" && !how.isIsolated && !how.isReplicated;
  if (!holdsEverySlot) return byOutbox;
  return new OneScript({ queues, journal, byOutbox, scriptPrefix: keys.prefix });
}
