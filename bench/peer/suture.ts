import { contract } from "#shared/contract";
import {
  createFirst,
  createMaster,
  FIRST_GENERATION,
  FIRST_PAIRS,
  issueKeyring,
  Keyring,
  seal,
} from "#shared/envelope";
import type { KeyGenerations } from "#shared/envelope";
import { RETRY_POLICY_DEFAULT } from "#shared/failure";
import { createModelClient } from "#shared/model";
import { agent, edgesOf, RUNTIME_LIMITS_DEFAULT, team } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { startAgents } from "#shared/runtime/process";
import type { RunningAgents } from "#shared/runtime/process";
import { Store } from "#shared/store";
import type { RunChange } from "#shared/store/runs";
import { createLogger, newTraceparent } from "#shared/telemetry";
import { createPayload, payloadSchema } from "./payload.ts";
import { Ends, RETENTION } from "./peer.ts";
import { startIsolated } from "./start-isolated.ts";
import type { ChainPeer, PeerOptions } from "./peer.ts";

const LIFE_MS = RETENTION.age * 1000;
const WAITING_MAX = 1_000_000;
/** As `SUTURE_REDIS_DURABILITY=replicated` has it by default. */
const REPLICATED = { replication: { replicasMin: 1, waitMs: 1000 } };

/** Three agents that hand on what they get: everything but the handlers is what any team has. */
function createChain(): Team {
  const Note = contract("bench.note@1", payloadSchema);
  const first = agent("first@1", {
    accepts: Note,
    to: { second: Note },
    handle: (note, ctx) => ctx.handoff("second", note),
  });
  const second = agent("second@1", {
    accepts: Note,
    to: { third: Note },
    handle: (note, ctx) => ctx.handoff("third", note),
  });
  const third = agent("third@1", { accepts: Note, handle: (_, ctx) => ctx.complete({ done: true }) });
  return team("chain", [first, second, third]);
}

/** A team that nobody works for: what waits there must not slow the others. */
function createAside(): Team {
  const Note = contract("bench.aside@1", payloadSchema);
  return team("aside", [
    agent("aside@1", { accepts: Note, handle: (_, ctx) => ctx.complete({ done: true }) }),
  ]);
}

/** Suture with everything on but tracing: accepted runs, seals, contracts, ledger, fence, outbox and journal. */
export function openSuture({ url, prefix, concurrency, keyring: shared, ...rest }: PeerOptions): ChainPeer {
  const [chain, aside] = [createChain(), createAside()];
  const store = new Store({
    url,
    prefix,
    role: "worker",
    retentionMs: LIFE_MS,
    ledgerLifeMs: LIFE_MS,
    onError: (error) => console.error(error),
    ...(rest.isReplicated === true ? REPLICATED : {}),
  });
  const master = createMaster();
  // As each profile has them by default.
  const generations = rest.isIsolated === true ? FIRST_PAIRS : FIRST_GENERATION;
  const keyring = Keyring.fromJson(shared ?? createSharedKeyring(master, generations));
  const ends = new Ends();
  hearEnds(store, (runId) => ends.end(runId));
  let running: Pick<RunningAgents, "stop"> | undefined;
  return {
    ends,
    async submit({ priority, line, onEnd }) {
      const to = line === "aside" ? aside : chain;
      const envelope = createFirst({
        to: to.entry.id,
        contract: to.entry.accepts.id,
        payload: createPayload(),
        traceparent: newTraceparent(),
        task: { priority },
        // A backlog of the deepest queue must not expire while it is measured.
        ttlMs: null,
      });
      ends.expect(envelope.meta.run_id, onEnd);
      await accept({ store, keyring, team: to, envelope });
    },
    async work() {
      const options = { ...settings(), store, keyring, concurrency };
      running =
        rest.isIsolated === true
          ? await startIsolated(chain, options, { master, generations, edges: edgesOf([chain]) })
          : await startAgents({ ...options, teams: [chain] });
    },
    async close() {
      await running?.stop(0);
      await store.close();
    },
  };
}

/** Every key of the teams, as JSON, for processes that work together. */
export function createSharedKeyring(
  master: string = createMaster(),
  generations: KeyGenerations = FIRST_GENERATION,
): string {
  const teams = [createChain(), createAside()];
  const edges = edgesOf(teams);
  const names = teams.flatMap((each) => [...each.agents.keys()]);
  return Keyring.merge(
    [...names, "gateway", "relay", "console"].map((name) =>
      issueKeyring({ master, agent: name, edges, generations }),
    ),
  ).exportJson();
}

/** As a process of agents has them. The model is never asked: port 9 answers nobody. */
function settings() {
  return {
    model: createModelClient({
      baseUrl: "http://127.0.0.1:9/v1",
      apiKey: "none",
      models: { router: "none", worker: "none", surgeon: "none" },
      timeoutMs: 1000,
      isRehearsal: false,
    }),
    logger: createLogger({ service: "bench", level: "warn" }),
    limits: { ...RUNTIME_LIMITS_DEFAULT, retry: RETRY_POLICY_DEFAULT },
    lockMs: 30_000,
    stalledIntervalMs: 5000,
  };
}

/** Listens inside the process, so that hearing of a run's end costs Redis nothing that a deployment does not pay. */
function hearEnds(store: Store, onEnd: (runId: string) => void): void {
  const tell = (changes: readonly RunChange[]): void => {
    for (const { event } of changes) if (event.type === "completed") onEnd(event.run_id);
  };
  const apply = store.journal.apply.bind(store.journal);
  store.journal.apply = async (changes) => {
    await apply(changes);
    tell(changes);
  };
  // By a relay.
  const applyHeld = store.journal.applyHeld.bind(store.journal);
  store.journal.applyHeld = async (held, changes) => {
    const verdict = await applyHeld(held, changes);
    tell(changes);
    return verdict;
  };
  const commit = store.ledger.commitTogether.bind(store.ledger);
  store.ledger.commitTogether = async (hold, request, motion) => {
    const committed = await commit(hold, request, motion);
    if (committed.kind === "committed") tell(request.outbox?.changes ?? []);
    return committed;
  };
}

/** What the gateway does with a task once its request is read. */
async function accept(parts: {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly team: Team;
  readonly envelope: ReturnType<typeof createFirst>;
}): Promise<void> {
  const { store, keyring, team: to, envelope } = parts;
  const receiver = to.entry.name;
  const { message } = seal({ envelope, queue: receiver, key: keyring.signing("gateway", receiver) });
  const accepted = await store.runs.accept({
    runId: envelope.meta.run_id,
    traceId: envelope.meta.trace_id,
    team: to.name,
    send: {
      lane: "fresh",
      agent: receiver,
      jobId: envelope.meta.message_id,
      data: { ...message },
      delayMs: 0,
      priority: envelope.task_context.priority,
    },
    webhook: null,
    idempotency: null,
    idempotencyLifeMs: LIFE_MS,
    waitingMax: WAITING_MAX,
  });
  if (accepted.kind !== "accepted") throw new Error(`the run was not accepted: ${accepted.kind}`);
  if (accepted.isDelivered) return;
  await store.outbox.deliver(accepted.entry);
  store.outbox.forget("runs", accepted.entry);
}
