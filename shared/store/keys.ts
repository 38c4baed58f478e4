import { createHash } from "node:crypto";

/**
 * Names of all Redis keys.
 *
 * A run lives in one shard: the queues, ledgers, claims and fan-outs of its agents, its record and its cases share the
 * hash tag `{s0}`, so that each transition is one script on one slot, on a cluster too. BullMQ's keys are
 * `<prefix>:{s0}:<queue>:…`; ours are `<prefix>:{s0}/<owner>/…`, where the owner is an agent, `runs` or `ward`.
 */
export class Keys {
  readonly prefix: string;
  /** BullMQ's `prefix` option for all queues of the shard. */
  readonly queuePrefix: string;

  constructor(prefix: string) {
    this.prefix = prefix;
    this.queuePrefix = `${prefix}:{s0}`;
  }

  /** Base of BullMQ's keys of one queue. */
  queueBase(queue: string): string {
    return `${this.queuePrefix}:${queue}:`;
  }

  /** BullMQ's key of one job; its lock has the suffix `:lock`. */
  job(queue: string, jobId: string): string {
    return this.queueBase(queue) + jobId;
  }

  lock(queue: string, jobId: string): string {
    return `${this.job(queue, jobId)}:lock`;
  }

  /** A key of an agent's own. */
  own(agent: string, name: string): string {
    return `${this.queuePrefix}/${agent}/${name}`;
  }

  /** Hash of one message at its receiver: outcome, deliveries, steps, digest, acceptance. */
  ledger(agent: string, messageId: string): string {
    return this.own(agent, `ledger:${messageId}`);
  }

  /** Text of one prompt's instructions, by its SHA-256 in hex, at the agent that sends it. */
  prompt(agent: string, sha256: string): string {
    return this.own(agent, `prompt:${sha256}`);
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
    return this.ward(`endpoint:${digest}`);
  }

  /** Hash of notices for webhooks. */
  notices(): string {
    return this.ward("notices");
  }

  /** Counter written after what replicas must have, under the same hash tag; see `confirmation.ts`. */
  mark(tag: string): string {
    return `${this.prefix}:{${tag}}/mark`;
  }

  /** Exists while a run is being cancelled. */
  cancelled(runId: string): string {
    return this.runs(`cancelled:${runId}`);
  }

  /**
   * Hash of one side effect's claim, in one run or, with `runId` null, for the whole agent. The author's key is
   * hashed, because it may hold personal data and any byte.
   */
  once(agent: string, key: string, runId: string | null): string {
    const digest = createHash("sha256").update(key);
    if (runId === null) return this.own(agent, `once:${digest.digest("hex")}`);
    return this.own(agent, `once:run:${digest.update(`\0${runId}`).digest("hex")}`);
  }

  /** Sorted set of an agent's claims by the time of their last write, in ms. */
  claims(agent: string): string {
    return this.own(agent, "claims");
  }

  /**
   * Hash of one fan-out at its joining agent. Suffix `:held`: branches not started; `:answers`: collected answers.
   * The id is that of the message that waits for the branches.
   */
  fanOut(join: string, fanOutId: string): string {
    return this.own(join, `fan-out:${fanOutId}`);
  }

  /** Sorted set of an agent's fan-outs by the time of their next check, in ms. */
  fanOuts(join: string): string {
    return this.own(join, "fan-outs");
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
    return this.own("runs", name);
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

  /** A key of the ward. */
  ward(name: string): string {
    return this.own("ward", name);
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

  /** High-water mark of a subject. Only surgeon and console write it. */
  mostRecent(subject: string): string {
    return `${this.prefix}:{recent}/${subject}`;
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
