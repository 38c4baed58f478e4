import { createHash } from "node:crypto";

/**
 * Every Redis key, in one place.
 *
 * All keys of one agent share the hash tag `{agent}`, so that each of its transitions is one script on one slot of a
 * cluster. BullMQ's keys are `<prefix>:{agent}:<queue>:…`; ours are `<prefix>:{agent}/…`: the slash keeps an agent
 * that is called `ledger` from meeting our ledger.
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

  /** BullMQ's key of one job, and with `:lock` its lock. */
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

  /** What a message id and a run id are put behind to give the keys of the agent's ledger and cancelled marks. */
  ledgerBasesOf(agent: string): { readonly ledger: string; readonly cancelled: string } {
    return { ledger: this.ledger(agent, ""), cancelled: this.cancelled(agent, "") };
  }

  /** Hash of what a slot has committed and not yet delivered. */
  outbox(slot: string): string {
    return `${this.queuePrefix(slot)}/outbox`;
  }

  /** List of ids of outbox entries by which an isolated agent calls a relay. */
  outboxCalls(agent: string): string {
    return `${this.queuePrefix(agent)}/outbox-calls`;
  }

  /** Hash of an isolated agent's own announcements, which a relay copies into the registry. */
  presence(agent: string): string {
    return `${this.queuePrefix(agent)}/presence`;
  }

  /** Hash of the circuit of one agent's outputs. */
  circuit(agent: string): string {
    return this.ward(`circuit:${agent}`);
  }

  /** Hash of the circuit of one model's endpoint: the ward's for all processes, or of one isolated agent. */
  endpoint(digest: string, agent: string | null): string {
    return agent === null ? this.ward(`endpoint:${digest}`) : `${this.queuePrefix(agent)}/endpoint:${digest}`;
  }

  /** Hash of what waits to be told to people by webhook: the ward's, or what one isolated agent says. */
  notices(agent: string | null): string {
    return agent === null ? this.ward("notices") : `${this.queuePrefix(agent)}/notices`;
  }

  /** Counter that is written behind what replicas are to have; see `confirmation.ts`. */
  mark(slot: string): string {
    return `${this.queuePrefix(slot)}/mark`;
  }

  /** Sorted set of handoffs by one sender that wait to be accepted; the score is when they must be. */
  acknowledgements(sender: string): string {
    return `${this.queuePrefix(sender)}/acknowledgements`;
  }

  /** Exists while a run is being cancelled; one for each agent of its team. */
  cancelled(agent: string, runId: string): string {
    return `${this.queuePrefix(agent)}/cancelled:${runId}`;
  }

  /**
   * Hash of one side effect's claim: of one run, or with `runId` null of the whole agent. The author's key is hashed:
   * it may hold personal data and any byte.
   */
  once(agent: string, key: string, runId: string | null): string {
    const digest = createHash("sha256").update(key);
    if (runId === null) return `${this.queuePrefix(agent)}/once:${digest.digest("hex")}`;
    return `${this.queuePrefix(agent)}/once:run:${digest.update(`\0${runId}`).digest("hex")}`;
  }

  /** Sorted set of an agent's claims; the score is when each was last written, in ms. */
  claims(agent: string): string {
    return `${this.queuePrefix(agent)}/claims`;
  }

  /**
   * Hash of one fan-out at the agent that joins it; with `:held` the branches that wait to be started, with `:answers`
   * what came back. The id is that of the message that waits for the branches.
   */
  fanOut(join: string, fanOutId: string): string {
    return `${this.queuePrefix(join)}/fan-out:${fanOutId}`;
  }

  /** Sorted set of the fan-outs that an agent joins; the score is when each is to be looked at, in ms. */
  fanOuts(join: string): string {
    return `${this.queuePrefix(join)}/fan-outs`;
  }

  /** What the keys of one board begin with. Each has a slot of its own. */
  board(name: string): string {
    return `${this.prefix}:{board/${name}}`;
  }

  /** Publish-subscribe channel on which a board's changes are announced. */
  boardChannel(name: string): string {
    return `${this.prefix}:board:${name}`;
  }

  /** A key of the slot in which runs are accepted and counted. */
  runs(name: string): string {
    return `${this.prefix}:{runs}/${name}`;
  }

  /** Sorted set of the runs that a tenant owns; the score is when each was accepted, in ms. */
  runsOf(tenant: string): string {
    return this.runs(`owner:runs:${tenant}`);
  }

  /** Sorted set of the runs of an account that have not ended; the score is 1 where no agent has begun, else 2. */
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

  /** List of what the gateway and the console refused. */
  refusals(): string {
    return this.door("refusals");
  }

  /** A key of what people did and ordered: the console alone writes there. */
  people(name: string): string {
    return `${this.prefix}:{people}/${name}`;
  }

  /** Number that says how far a subject has come; surgeon and console alone write it. */
  mostRecent(subject: string): string {
    return `${this.prefix}:{recent}/${subject}`;
  }

  /** A key of the live registry. */
  registry(name: string): string {
    return `${this.prefix}:{registry}/${name}`;
  }

  /** The version of the format in which the data under this prefix is written. */
  dataFormat(): string {
    return this.registry("format");
  }

  /** Hash by which a message that a bridge has planted here is remembered. */
  taken(messageId: string): string {
    return this.runs(`taken:${messageId}`);
  }

  /** Stream of what the home of guests is to be told, by the name of its cluster. */
  returns(cluster: string): string {
    return this.runs(`returns:${cluster}`);
  }

  /** Publish-subscribe channel on which a run's changes are announced. */
  runChannel(runId: string): string {
    return `${this.prefix}:run:${runId}`;
  }
}

/** The queue of failed handoffs to one agent that may work later. */
export function retryQueueOf(agent: string): string {
  return `${agent}.retry`;
}

export const WARD_QUEUE = "ward";
