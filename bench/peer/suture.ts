import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { startAgents } from "#shared/runtime/process";
import type { RunningAgents } from "#shared/runtime/process";
import type { Team } from "#shared/runtime";
import type { RunChange } from "#shared/store/runs";
import type { Store } from "#shared/store";
import { createLogger } from "#shared/telemetry";
import {
  AGENT_DEFAULTS,
  createAbsentModel,
  createTeamKeyring,
  openBenchStore,
  submitRun,
} from "../suture-system.ts";
import { createPayload, payloadSchema } from "./payload.ts";
import { Ends, RETENTION } from "./peer.ts";
import type { ChainPeer, PeerOptions } from "./peer.ts";

const LIFE_MS = RETENTION.age * 1000;
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

/** Suture with everything on but tracing: accepted runs, seals, contracts, ledger, fence and journal. */
export function openSuture({ url, prefix, concurrency, isReplicated }: PeerOptions): ChainPeer {
  const chain = createChain();
  const shardUrls = url.split(" ");
  const store = openBenchStore({
    url: shardUrls[0] ?? "",
    shardUrls,
    prefix,
    retentionMs: LIFE_MS,
    ledgerLifeMs: LIFE_MS,
    ...(isReplicated === true ? REPLICATED : {}),
  });
  // With the console's: agents read what people order, as they do at work.
  const keyring = createTeamKeyring(chain, ["gateway", "console"]);
  const ends = new Ends();
  onRunEnds(store, (runId) => ends.end(runId));
  let running: RunningAgents | undefined;
  let submitted = 0;
  return {
    ends,
    async submit({ onEnd }) {
      submitted += 1;
      await submitRun(
        { store, keyring, team: chain },
        {
          payload: createPayload(),
          shard: submitted % store.shards.length,
          // A backlog of the deepest queue must not expire while it is measured.
          ttlMs: null,
          lifeMs: LIFE_MS,
          onRunId: (runId) => ends.expect(runId, onEnd),
        },
      );
    },
    async work() {
      const logger = createLogger({ service: "bench", level: "warn" });
      const options = { ...AGENT_DEFAULTS, model: createAbsentModel(), logger, store, keyring, concurrency };
      running = await startAgents({ ...options, teams: [chain] });
    },
    async close() {
      await running?.stop(0);
      await store.close();
    },
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
