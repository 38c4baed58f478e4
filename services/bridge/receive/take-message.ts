import { crashPoint } from "#shared/crash-points";
import { agentNameOf, branchOf, branchTag } from "#shared/envelope";
import { open } from "#shared/envelope/seals";
import type { Envelope } from "#shared/envelope";
import type { Store } from "#shared/store";
import type { Counter } from "#shared/telemetry";
import { checkRouting, decodeCarried } from "#shared/wire";
import type { CarriedMessage } from "#shared/wire";
import type { BridgeParts, AgentDirectory } from "../bridge.ts";
import {
  ClusterFullError,
  CrossingMisdirectedError,
  TakenForeignError,
  TakenUncertainError,
} from "../errors.ts";

const HOUR_MS = 3_600_000;

/** Senders that every cluster has. */
const SENDERS_EVERYWHERE: readonly string[] = ["gateway", "surgeon"];

/** Dependencies of the receiving side. */
export interface Receiver extends BridgeParts {
  readonly directory: AgentDirectory;
  /** Counts changes reported by peers that were not applied, by reason. */
  readonly newsRefused: Counter;
}

/**
 * Accepts one message from a peer. When this resolves, this cluster's Redis has it. Idempotent, also long after.
 * @param from - The authenticated cluster of the peer.
 * @returns `taken`, or `known` when it was taken before.
 * @throws {RequestRefusedError | UntrustedMessageError | WireMalformedError} It was not taken.
 */
export async function takeMessage(
  receiver: Receiver,
  { from, body }: { readonly from: string; readonly body: Uint8Array },
): Promise<{ readonly state: "taken" | "known" }> {
  const carried = decodeCarried(body);
  const { store, config } = receiver;
  let opened: ReturnType<typeof openCarried>;
  try {
    opened = openCarried(receiver, { carried, from });
  } catch (error) {
    // Peer tables and keys change; a message taken under older ones stays taken.
    if (await store.crossings.isTaken(carried.routing.message_id)) return { state: "known" };
    throw error;
  }
  const { digest, envelope, agent } = opened;
  const team = receiver.teams.find((one) => one.agents.has(agent));
  const { meta, task_context } = envelope;
  const branch = branchOf(meta);
  await refuseIfFull(receiver, { home: carried.home, messageId: meta.message_id });
  crashPoint("W24:before_plant");
  const planted = await store.crossings.plant({
    runId: meta.run_id,
    traceId: meta.trace_id,
    team: team?.name ?? "",
    send: {
      lane: "fresh",
      agent,
      jobId: meta.message_id,
      data: { ...carried.sealed, attempt: 0 },
      delayMs: 0,
      priority: task_context.priority,
    },
    digest,
    from,
    home: carried.home === config.cluster ? null : carried.home,
    ...(branch === null ? {} : { branch: branchTag(branch) }),
    firstSentMs: carried.firstSentMs,
    memoryMs: config.memoryHours * HOUR_MS,
  });
  if (planted.kind === "foreign") throw new TakenForeignError();
  if (planted.kind === "forgotten") throw new TakenUncertainError();
  crashPoint("W24:after_plant_before_reply");
  if (planted.entry !== null) deliverSoon(receiver, planted.entry);
  return { state: planted.kind };
}

/** Verifies a message's seal, that its receiver lives here and that its sender lives in the peer's cluster. */
function openCarried(
  { keyring, directory }: Receiver,
  { carried, from }: { readonly carried: CarriedMessage; readonly from: string },
): { readonly digest: string; readonly envelope: Envelope; readonly agent: string } {
  const { routing, sealed, home } = carried;
  const agent = agentNameOf(routing.target_agent);
  if (!directory.isLocal(agent)) throw new CrossingMisdirectedError("its receiver does not live here");
  if (!directory.hasCluster(home)) throw new CrossingMisdirectedError("the home of its run is unknown here");
  const { envelope, digest } = open({
    message: sealed,
    queue: agent,
    jobId: routing.message_id,
    keyring,
  });
  checkRouting(routing, envelope);
  const sender = agentNameOf(envelope.meta.source_agent);
  if (!SENDERS_EVERYWHERE.includes(sender) && directory.clusterOf(sender) !== from)
    throw new CrossingMisdirectedError("its sender does not live there");
  return { digest, envelope, agent };
}

/** Refuses when a limit is reached. A message that was taken before is confirmed all the same. */
async function refuseIfFull(
  { store, config, storeIsFull, wardIsFull }: Receiver,
  { home, messageId }: { readonly home: string; readonly messageId: string },
): Promise<void> {
  const isFull =
    (await storeIsFull()) ||
    (await wardIsFull()) ||
    (home !== config.cluster && (await store.crossings.countReturns(home)) >= config.returnLimit);
  if (!isFull || (await store.crossings.isTaken(messageId))) return;
  throw new ClusterFullError("its Redis, its ward or its news for the run's home are full");
}

/** Delivers an outbox entry now; the relay retries failures. */
function deliverSoon({ store, logger }: Receiver, entry: Parameters<Store["outbox"]["deliver"]>[0]): void {
  store.outbox.deliver(entry).then(
    () => store.outbox.forget("runs", entry),
    (error: unknown) => logger.warn({ err: error, entry_id: entry.id }, "left to the relay"),
  );
}
