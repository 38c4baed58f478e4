import { createHash } from "node:crypto";

/**
 * Names of all Redis keys.
 *
 * All keys of one agent share the hash tag `{agent}`, so that each of its transitions is one script on one slot of
 * a cluster. BullMQ's keys are `<prefix>:{agent}:<queue>:…`; ours are `<prefix>:{agent}/…`. The slash avoids a
 * collision with an agent called `ledger`.
 */
export class Keys {
  readonly prefix: string;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** BullMQ's `prefix` option for the queues of one slot. */
  queuePrefix(slot: string): string {
    return `${this.prefix}:{${slot}}`;
  }

  /** BullMQ's key of one job; its lock has the suffix `:lock`. */
  job(slot: string, queue: string, jobId: string): string {
    return `${this.queuePrefix(slot)}:${queue}:${jobId}`;
  }

  lock(slot: string, queue: string, jobId: string): string {
    return `${this.job(slot, queue, jobId)}:lock`;
  }

  /** Hash of one message at its receiver: outcome, deliveries, steps, digest, acceptance. */
  ledger(agent: string, messageId: string): string {
    return `${this.queuePrefix(agent)}/ledger:${messageId}`;
  }

  /** Text of one prompt's instructions, by its SHA-256 in hex, at the agent that sends it. */
  prompt(agent: string, sha256: string): string {
    return `${this.queuePrefix(agent)}/prompt:${sha256}`;
  }

  /** Prefixes that give the agent's ledger and cancellation keys with a message id or a run id appended. */
  ledgerBasesOf(agent: string): { readonly ledger: string; readonly cancelled: string } {
    return { ledger: this.ledger(agent, ""), cancelled: this.cancelled(agent, "") };
  }

  /** Hash of a slot's transactional outbox: effects committed and not yet delivered. */
  outbox(slot: string): string {
    return `${this.queuePrefix(slot)}/outbox`;
  }

  /** Hash of the circuit of one agent's outputs. */
  circuit(agent: string): string {
    return this.ward(`circuit:${agent}`);
  }

  /** Hash of the circuit of one model endpoint, which all processes share. */
  endpoint(digest: string): string {
    return this.ward(`endpoint:${digest}`);
  }

  /** Hash of notices for webhooks. */
  notices(): string {
    return this.ward("notices");
  }

  /** Counter written after what replicas must have; see `confirmation.ts`. */
  mark(slot: string): string {
    return `${this.queuePrefix(slot)}/mark`;
  }

  /** Sorted set of one sender's handoffs that await acknowledgement, by deadline. */
  acknowledgements(sender: string): string {
    return `${this.queuePrefix(sender)}/acknowledgements`;
  }

  /** Exists while a run is being cancelled; one per agent of its team. */
  cancelled(agent: string, runId: string): string {
    return `${this.queuePrefix(agent)}/cancelled:${runId}`;
  }

  /**
   * Hash of one side effect's claim, in one run or, with `runId` null, for the whole agent. The author's key is
   * hashed, because it may hold personal data and any byte.
   */
  once(agent: string, key: string, runId: string | null): string {
    const digest = createHash("sha256").update(key);
    if (runId === null) return `${this.queuePrefix(agent)}/once:${digest.digest("hex")}`;
    return `${this.queuePrefix(agent)}/once:run:${digest.update(`\0${runId}`).digest("hex")}`;
  }

  /** Sorted set of an agent's claims by the time of their last write, in ms. */
  claims(agent: string): string {
    return `${this.queuePrefix(agent)}/claims`;
  }

  /**
   * Hash of one fan-out at its joining agent. Suffix `:held`: branches not started; `:answers`: collected answers.
   * The id is that of the message that waits for the branches.
   */
  fanOut(join: string, fanOutId: string): string {
    return `${this.queuePrefix(join)}/fan-out:${fanOutId}`;
  }

  /** Sorted set of an agent's fan-outs by the time of their next check, in ms. */
  fanOuts(join: string): string {
    return `${this.queuePrefix(join)}/fan-outs`;
  }

  /** Prefix of the keys of one board. Each board has a slot of its own. */
  board(name: string): string {
    return `${this.prefix}:{board/${name}}`;
  }

  /** Pub/sub channel of a board's changes. */
  boardChannel(name: string): string {
    return `${this.prefix}:board:${name}`;
  }

  /** A key of the slot in which runs are accepted and counted. */
  runs(name: string): string {
    return `${this.prefix}:{runs}/${name}`;
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

  /** A key of the ward's slot. */
  ward(name: string): string {
    return `${this.prefix}:{ward}/${name}`;
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
