import { contract } from "#shared/contract";
import { RETRY_POLICY_DEFAULT } from "#shared/failure";
import { agent, RUNTIME_LIMITS_DEFAULT, team } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import type { Store } from "#shared/store";
import type { RunChange } from "#shared/store/runs";
import { newRunId } from "#shared/store/shards";
import { newTraceparent } from "#shared/telemetry";
import { openSystem } from "#shared/testing/system";
import { createPayload, payloadSchema } from "./payload.ts";
import { Ends, RETENTION } from "./peer.ts";
import type { ChainPeer, PeerOptions } from "./peer.ts";

const LIFE_MS = RETENTION.age * 1000;
/** As `SUTURE_REDIS_DURABILITY=replicated` has it by default. */
const REPLICATED = { replication: { replicasMin: 1, waitMs: 1000 } };

/** The settings of agents where a process of agents has its defaults. */
const AGENT_DEFAULTS = {
  limits: { ...RUNTIME_LIMITS_DEFAULT, retry: RETRY_POLICY_DEFAULT },
  lockMs: 30_000,
  stalledIntervalMs: 5000,
} as const;

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

/** Suture with everything on but tracing: accepted runs, seals, contracts, ledger, fence and journal. */
export function openSuture({ url, prefix, concurrency, durability }: PeerOptions): ChainPeer {
  const shardUrls = url.split(" ");
  const system = openSystem(
    createChain(),
    { redisUrl: shardUrls[0] ?? "", prefix },
    {
      takesIn: false,
      store: {
        shardUrls,
        retentionMs: LIFE_MS,
        ledgerLifeMs: LIFE_MS,
        onError: (error) => console.error(error),
        ...(durability === "replicated" ? REPLICATED : {}),
        groupsWrites: durability === "durable",
      },
    },
  );
  const { store } = system;
  const ends = new Ends();
  onRunEnds(store, (runId) => ends.end(runId));
  let submitted = 0;
  return {
    ends,
    async submit({ onEnd }) {
      submitted += 1;
      const runId = newRunId(submitted % store.shards.length);
      ends.expect(runId, onEnd);
      // A backlog of the deepest queue must not expire while it is measured.
      await system.submit(createPayload(), { runId, traceparent: newTraceparent(), ttlMs: null });
    },
    async work() {
      await system.start({ ...AGENT_DEFAULTS, concurrency });
    },
    close: () => system.close(),
  };
}

/** Listens inside the process, so that learning of a run's end costs Redis no call that a deployment does not make. */
function onRunEnds({ shards }: Store, onEnd: (runId: string) => void): void {
  for (const shard of shards) onRunEndsIn(shard, onEnd);
}

function onRunEndsIn(store: Store, onEnd: (runId: string) => void): void {
  const report = (changes: readonly RunChange[]): void => {
    for (const { event } of changes) if (event.type === "completed") onEnd(event.run_id);
  };
  const apply = store.journal.apply.bind(store.journal);
  store.journal.apply = async (changes) => {
    await apply(changes);
    report(changes);
  };
  const commit = store.ledger.commit.bind(store.ledger);
  store.ledger.commit = async (hold, request, effects) => {
    const committed = await commit(hold, request, effects);
    if (committed.kind === "committed") report(request.effects?.changes ?? []);
    return committed;
  };
}
