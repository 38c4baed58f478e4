import { crashPoint } from "#shared/crash-points";
import { agentNameOf, branchOf, branchTag } from "#shared/envelope";
import { open } from "#shared/envelope/seals";
import type { Envelope } from "#shared/envelope";
import type { Store } from "#shared/store";
import type { Counter } from "#shared/telemetry";
import { checkRouting, decodeCarried } from "#shared/wire";
import type { CarriedMessage } from "#shared/wire";
import type { BridgeParts, Places } from "../bridge.ts";
import {
  ClusterFullError,
  CrossingMisdirectedError,
  TakenForeignError,
  TakenUncertainError,
} from "../errors.ts";

const HOUR_MS = 3_600_000;

/** Senders that are in every cluster. */
const EVERYWHERE: readonly string[] = ["gateway", "surgeon"];

/** What receiving works with. */
export interface Reception extends BridgeParts {
  readonly places: Places;
  /** Counts what a peer told that was not applied, by reason. */
  readonly newsRefused: Counter;
}

/**
 * Takes one message from a peer. When this resolves, this cluster's Redis has it, for good; taking it again changes
 * nothing, also long after.
 *
 * @param from - The peer's cluster, authenticated.
 * @returns Whether it was taken now or before.
 * @throws {RequestRefusedError | UntrustedMessageError | WireMalformedError} It was not taken.
 */
export async function takeMessage(
  reception: Reception,
  { from, body }: { readonly from: string; readonly body: Uint8Array },
): Promise<{ readonly state: "taken" | "known" }> {
  const carried = decodeCarried(body);
  const { store, config } = reception;
  let opened: ReturnType<typeof openCarried>;
  try {
    opened = openCarried(reception, { carried, from });
  } catch (error) {
    // Tables and keys change: what was taken under older ones stays taken.
    if (await store.crossings.isTaken(carried.routing.message_id)) return { state: "known" };
    throw error;
  }
  const { digest, envelope, agent } = opened;
  const team = reception.teams.find((one) => one.agents.has(agent));
  const { meta, task_context } = envelope;
  const branch = branchOf(meta);
  await refuseIfFull(reception, { home: carried.home, messageId: meta.message_id });
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
  if (planted.entry !== null) deliverSoon(reception, planted.entry);
  return { state: planted.kind };
}

/** Verified under the key of its own edge, addressed to an agent here, by one that is not. */
function openCarried(
  { keyring, places }: Reception,
  { carried, from }: { readonly carried: CarriedMessage; readonly from: string },
): { readonly digest: string; readonly envelope: Envelope; readonly agent: string } {
  const { routing, sealed, home } = carried;
  const agent = agentNameOf(routing.target_agent);
  if (!places.isHere(agent)) throw new CrossingMisdirectedError("its receiver does not live here");
  if (!places.knows(home)) throw new CrossingMisdirectedError("the home of its run is unknown here");
  const { envelope, digest } = open({
    message: sealed,
    queue: agent,
    jobId: routing.message_id,
    keyring,
  });
  checkRouting(routing, envelope);
  const sender = agentNameOf(envelope.meta.source_agent);
  if (!EVERYWHERE.includes(sender) && places.clusterOf(sender) !== from)
    throw new CrossingMisdirectedError("its sender does not live there");
  return { digest, envelope, agent };
}

/** What was taken before is known however full it is: its sender must be able to end it. */
async function refuseIfFull(
  { store, config, storeIsFull, wardIsFull }: Reception,
  { home, messageId }: { readonly home: string; readonly messageId: string },
): Promise<void> {
  const isFull =
    (await storeIsFull()) ||
    (await wardIsFull()) ||
    (home !== config.cluster && (await store.crossings.countReturns(home)) >= config.returnLimit);
  if (!isFull || (await store.crossings.isTaken(messageId))) return;
  throw new ClusterFullError("its Redis, its ward or its news for the run's home are full");
}

/** What fails here stays in the outbox, for the relay. */
function deliverSoon({ store, logger }: Reception, entry: Parameters<Store["outbox"]["deliver"]>[0]): void {
  store.outbox.deliver(entry).then(
    () => store.outbox.forget("runs", entry),
    (error: unknown) => logger.warn({ err: error, entry_id: entry.id }, "left to the relay"),
  );
}
