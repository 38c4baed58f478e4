import { Store } from "#shared/store";
import type { RunChange } from "#shared/store/runs";
import type { Effects } from "#shared/store/settlement";

/** Faults of the next calls of Redis. */
export interface Trouble {
  /** The reply to a script is lost and the client sends it again: it runs twice, the second reply is what counts. */
  isTwice: boolean;
  /** The surgeon's process dies after it has made a case, and before the dead message leaves the inbox. */
  isDying: boolean;
}

/** The store on a real Redis, whose every script can be made to run twice. What is settled is heard of once written. */
export function openTroubledStore(options: {
  readonly url: string;
  readonly prefix: string;
  /** One of two shards: the first has what there is once. */
  readonly shard: number;
  /** Hears what every run is told. */
  readonly onTold: (changes: readonly RunChange[]) => void;
  /** Hears of the effects of each outcome that was written. */
  readonly onSettled: (entry: Effects) => void;
}) {
  const trouble: Trouble = { isTwice: false, isDying: false };
  const { shards } = new Store({
    url: options.url,
    shardUrls: [options.url, options.url],
    prefix: options.prefix,
    role: "worker",
    retentionMs: 3_600_000,
    ledgerLifeMs: 3_600_000,
    onError: () => undefined,
  });
  const store = shards[options.shard];
  if (store === undefined) throw new Error("there are two shards");
  // A script that Redis does not know yet is sent whole.
  for (const name of ["evalsha", "eval"] as const) {
    // One of ioredis' overloads: every argument is passed on as it came.
    const run = store.redis[name].bind(store.redis) as (...args: unknown[]) => Promise<unknown>;
    Reflect.set(store.redis, name, async (...args: unknown[]) => {
      if (trouble.isTwice) await run(...args);
      return run(...args);
    });
  }
  const commit = store.ledger.commit.bind(store.ledger);
  store.ledger.commit = async (hold, request, effects) => {
    const committed = await commit(hold, request, effects);
    // Sent twice, it is settled by its own first sending.
    const isOwn = committed.kind === "settled_before" && committed.outcome === request.outcome;
    if ((committed.kind === "committed" || isOwn) && request.effects !== null)
      options.onSettled(request.effects);
    return committed;
  };
  const write = store.cases.write.bind(store.cases);
  store.cases.write = async (change) => {
    const written = await write(change);
    const { effects, caseId, expectedVersion } = change;
    if (effects === null) return written;
    // Sent twice, it is stale by its own first sending.
    const mayBeOwn = written.kind === "stale" && trouble.isTwice;
    const isOwn = mayBeOwn && (await store.cases.find(caseId))?.version === expectedVersion + 1;
    if (written.kind === "written" || isOwn) options.onSettled(effects);
    return written;
  };
  const apply = store.journal.apply.bind(store.journal);
  store.journal.apply = async (changes) => {
    options.onTold(changes);
    await apply(changes);
  };
  return { store, trouble };
}
