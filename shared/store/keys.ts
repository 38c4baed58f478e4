import { createHash } from "node:crypto";

/**
 * Names of all Redis keys.
 *
 * A run lives in one shard: the queues, ledgers, claims and fan-outs of its agents, its record and its cases share the
 * hash tag `{s<n>}`, so that each transition is one script on one slot, on a cluster too.
 *
 * Keys that agents may write begin with `<prefix>:{s`; keys of a shard that they may not begin with their owner:
 * `<prefix>:ward:{s<n>}`, `<prefix>:gateway:{s<n>}`. So a pattern of Redis' users names no agent (see
 * `access-rules.ts`), and no name of an agent reaches the ward's keys. BullMQ's keys are
 * `<prefix>:{s<n>}:<queue>:…`, ours `<prefix>:{s<n>}/<family>/<agent>…`.
 *
 * Data of the whole installation lies on the first Redis: people, API keys, registry and boards under tags of
 * their own, and recipes, batches, circuits, notices and claims of whole agents in shard 0, where they share the
 * ward's audit and the webhooks' notices.
 */
export class Keys {
  readonly prefix: string;
  readonly shard: number;
  /** BullMQ's `prefix` option for the queues of agents. */
  readonly queuePrefix: string;

  constructor(prefix: string, shard = 0) {
    this.prefix = prefix;
    this.shard = shard;
    this.queuePrefix = `${prefix}:{s${shard}}`;
  }

  /** BullMQ's `prefix` option for one queue. The ward's is where no agent can write. */
  queuePrefixOf(queue: string): string {
    return queue === WARD_QUEUE ? `${this.prefix}:ward:{s${this.shard}}` : this.queuePrefix;
  }

  /** Base of BullMQ's keys of one queue. */
  queueBase(queue: string): string {
    return `${this.queuePrefixOf(queue)}:${queue}:`;
  }

  /** BullMQ's key of one job; its lock has the suffix `:lock`. */
  job(queue: string, jobId: string): string {
    return this.queueBase(queue) + jobId;
  }

  lock(queue: string, jobId: string): string {
    return `${this.job(queue, jobId)}:lock`;
  }

  /** Hash of one message at its receiver: outcome, deliveries, steps, digest, acceptance. */
  ledger(agent: string, messageId: string): string {
    return `${this.queuePrefix}/led/${agent}:${messageId}`;
  }

  /** Text of one prompt's instructions, by its SHA-256 in hex, at the agent that sends it. */
  prompt(agent: string, sha256: string): string {
    return `${this.queuePrefix}/prompt/${agent}:${sha256}`;
  }

  /** Prefixes that give the agent's ledger and cancellation keys with a message id or a run id appended. */
  ledgerBasesOf(agent: string): { readonly ledger: string; readonly cancelled: string } {
    return { ledger: this.ledger(agent, ""), cancelled: this.cancelled("") };
  }

  /** List of dead messages that no surgeon has taken in yet. */
  inbox(): string {
    return this.ward("inbox");
  }

  /** List of entries of the inbox that no surgeon could read. */
  inboxRefused(): string {
    return this.ward("inbox-refused");
  }

  /** Hash of the circuit of one model endpoint, which all processes share. */
  endpoint(digest: string): string {
    return this.feedback(`endpoint:${digest}`);
  }

  /** Hash of notices for webhooks. */
  notices(): string {
    return this.feedback("notices");
  }

  /** Counter written after what replicas must have, under the same hash tag; see `confirmation.ts`. */
  mark(tag: string): string {
    return `${this.prefix}:{${tag}}/mark`;
  }

  /** Exists while a run is being cancelled. */
  cancelled(runId: string): string {
    return this.runs(`cancelled:${runId}`);
  }

  /** Hash of a side effect's claim in a run, or, with `runId` null, of the agent. The author's key is hashed. */
  once(agent: string, key: string, runId: string | null): string {
    const digest = createHash("sha256").update(key);
    if (runId !== null) digest.update(`\0${runId}`);
    return `${this.queuePrefix}/once/${agent}:${runId === null ? "" : "run:"}${digest.digest("hex")}`;
  }

  /** Sorted set of an agent's claims by the time of their last write, in ms. */
  claims(agent: string): string {
    return `${this.queuePrefix}/claims/${agent}`;
  }

  /** Hash of a fan-out, by the waiting message's id. `:held`: branches not started; `:answers`: collected. */
  fanOut(join: string, fanOutId: string): string {
    return `${this.queuePrefix}/fan/${join}:${fanOutId}`;
  }

  /** Sorted set of an agent's fan-outs by the time of their next check, in ms. */
  fanOuts(join: string): string {
    return `${this.queuePrefix}/fan-due/${join}`;
  }

  /** Prefix of the keys of one board. Each board has a slot of its own. */
  board(name: string): string {
    return `${this.prefix}:{board/${name}}`;
  }

  /** Pub/sub channel of a board's changes. */
  boardChannel(name: string): string {
    return `${this.prefix}:board:${name}`;
  }

  /** A key of the records of runs. */
  runs(name: string): string {
    return `${this.queuePrefix}/runs/${name}`;
  }

  /** A key of what the gateway alone writes of runs: idempotency keys, its audit. */
  gateway(name: string): string {
    return `${this.prefix}:gateway:{s${this.shard}}/${name}`;
  }

  /** A key of what agents report of themselves and each other: rates, notices, circuits of endpoints. */
  feedback(name: string): string {
    return `${this.queuePrefix}/feedback/${name}`;
  }

  /** Sorted set of a tenant's runs by the time of their acceptance, in ms. */
  runsOf(tenant: string): string {
    return this.runs(`owner:runs:${tenant}`);
  }

  /** Sorted set of an account's open runs; the score is 1 before an agent has started the run, else 2. */
  openOf(account: string): string {
    return this.runs(`owner:open:${account}`);
  }

  run(runId: string): string {
    return this.runs(`run:${runId}`);
  }

  /** Sorted set of runs whose tasks have a webhook, by the time of their next check, in ms. */
  webhooks(): string {
    return this.runs("index:webhooks");
  }

  /** A key of the ward. Only surgeon and console write there; agents append to its inbox. */
  ward(name: string): string {
    return `${this.prefix}:ward:{s${this.shard}}/${name}`;
  }

  /** A key of the slot that the gateway and the console share. */
  door(name: string): string {
    return `${this.prefix}:{door}/${name}`;
  }

  /** List of requests that the gateway and the console refused. */
  refusals(): string {
    return this.door("refusals");
  }

  /** A key of people's records and orders. Only the console writes there. */
  people(name: string): string {
    return `${this.prefix}:{people}/${name}`;
  }

  /** A key of the live registry. */
  registry(name: string): string {
    return `${this.prefix}:{registry}/${name}`;
  }

  /** The data format version of this prefix. */
  dataFormat(): string {
    return this.registry("format");
  }

  /** Pub/sub channel of a run's changes. */
  runChannel(runId: string): string {
    return `${this.prefix}:run:${runId}`;
  }
}

/** The queue of an agent's retries, which may be delayed. */
export function retryQueueOf(agent: string): string {
  return `${agent}.retry`;
}

export const WARD_QUEUE = "ward";
