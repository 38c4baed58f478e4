import { now } from "#shared/clock";
import { isRedisReply } from "../script.ts";
import { ScriptGroup } from "../script-group.ts";
import { begin, commit, recordStep, settleStranded } from "../scripts/ledger.ts";
import { toMayFinish, touchedByFinish } from "../scripts/queues.ts";
import type { FinishTicket } from "../scripts/queues.ts";
import { touchedBy } from "../scripts/effects.ts";
import { touchedByOpening } from "../scripts/fan-outs.ts";
import type { OpeningCall } from "../scripts/fan-outs.ts";
import type { EffectsCall } from "../scripts/effects.ts";
import type { Decision, Effects } from "../settlement/settlement.ts";
import { LockLostError } from "../errors.ts";
import { KeptPrompts } from "./kept-prompts.ts";
import { toEntry, toRecord } from "./ledger-record.ts";
import type { LedgerEntry, LedgerRecord, RecordedStep, Spending } from "./ledger-record.ts";
import { StorePart } from "../store-part.ts";

/** The job that a worker holds by its lock (lease), and the token that fences its writes. */
export interface Hold {
  readonly agent: string;
  readonly queue: string;
  readonly jobId: string;
  /** BullMQ's lock token of this delivery. */
  readonly token: string;
  readonly messageId: string;
  readonly runId: string;
  /** SHA-256 of the sealed bytes, hex. */
  readonly digest: string;
  /** Ends the job in the same script as the outcome. Default: BullMQ ends it. */
  readonly ticket?: FinishTicket | null;
}

type Beginning =
  /** `deaths`: how often the job stalled while it was being handled, not just while it waited in a worker. */
  | { readonly kind: "go"; readonly record: LedgerRecord; readonly deaths: number }
  | { readonly kind: "cancelled"; readonly record: LedgerRecord }
  | { readonly kind: "replay"; readonly outcome: string }
  /** The bytes differ from those seen before. `foreign`: that delivery is settled; `replaced`: it is not. */
  | { readonly kind: "foreign" | "replaced" };

export type Committed =
  | { readonly kind: "committed" }
  | { readonly kind: "settled_before"; readonly outcome: string }
  | { readonly kind: "cancelled" };

export interface CommitRequest {
  /** `final` ends the message; `delivery` ends this delivery, the message comes back. */
  readonly scope: "final" | "delivery";
  /** JSON text of the outcome. */
  readonly outcome: string;
  /** Effects of the outcome. */
  readonly effects: Effects | null;
  /** True if the cancellation of the run overrides this outcome. */
  readonly cancellable: boolean;
  /** Cost of this message over all its deliveries. */
  readonly billed: Spending;
  /** Time until the message expires, in ms. Integer. Duplicates that arrive before then must find this outcome. */
  readonly timeLeftMs: number;
}

/**
 * The receiver's ledger (deduplication): one durable outcome for each message, its recorded steps, and the fence that
 * refuses writes of a zombie worker. Every write compares BullMQ's lock with the worker's token in the same script.
 */
export class Ledger extends StorePart {
  /** Deduplication window of a settled message, in ms; longer if the message itself lives longer. */
  private readonly lifeMs = this.store.options.ledgerLifeMs;
  private readonly prompts = new KeptPrompts(this.keys, this.lifeMs);
  private readonly commits = new ScriptGroup(commit, this.redis, this.groupsWrites);
  private readonly steps = new ScriptGroup(recordStep, this.redis, this.groupsWrites);

  /**
   * Begins a delivery of a message that the ledger may know.
   * @param how.accepts - Marks the message as accepted and counts this attempt.
   * @param how.stalls - How often the job stalled before this delivery.
   * @param how.mayBeBegunBefore - The job's first delivery may have begun without this call
   * (`DeliveredJob.unseenUntilMs`); if it stalled since, that attempt is counted now.
   * @throws {LockLostError} Another worker holds the job.
   */
  async begin(
    hold: Hold,
    how: {
      readonly at: string;
      readonly accepts: boolean;
      readonly stalls: number;
      readonly mayBeBegunBefore: boolean;
    },
  ): Promise<Beginning> {
    const { at: nowText, ...asked } = how;
    const { token, jobId, digest } = hold;
    const call = { ...this.keysOf(hold), token, jobId, digest, nowText, ...asked };
    const reply = await begin.run(this.redis, call);
    if (reply.kind === "lost") throw new LockLostError(hold.messageId);
    if (reply.kind === "replay") hold.ticket?.proveBy(this.ledgerKey(hold));
    return "fields" in reply ? { ...reply, record: toRecord(reply.fields) } : reply;
  }

  /** Returns a delivery's outcome as a decision to settle. @throws {LockLostError} Another worker holds the job. */
  decide(hold: Hold, request: CommitRequest): Decision<Committed> {
    return {
      effects: request.effects,
      write: (effects, opening) => this.commit(hold, request, { effects, opening }),
    };
  }

  /** Writes an outcome with its effects. @throws {LockLostError} Another has the job, or held branches are gone. */
  async commit(
    hold: Hold,
    request: CommitRequest,
    { effects, opening }: { readonly effects: EffectsCall; readonly opening: OpeningCall | null },
  ): Promise<Committed> {
    const finishing = hold.ticket?.toCall() ?? null;
    const reply = await this.commits.run({
      touches: [...touchedBy(effects), ...touchedByFinish(finishing), ...touchedByOpening(opening)],
      ...this.keysOf(hold),
      token: hold.token,
      outcomeField: request.scope === "final" ? "outcome" : `d:${hold.jobId}`,
      outcome: request.outcome,
      ledgerLifeMs: Math.max(this.lifeMs, request.timeLeftMs),
      isCancellable: request.cancellable,
      digest: hold.digest,
      billed: `${request.billed.costMicro}|${request.billed.tokens}`,
      nowMs: now(),
      ...toMayFinish(finishing),
      ...effects,
      opening,
    });
    if (reply.kind === "lost") throw new LockLostError(hold.messageId);
    if (reply.kind === "settled_before") hold.ticket?.proveBy(this.ledgerKey(hold));
    if (reply.kind !== "committed") return reply;
    if (reply.finished !== null) hold.ticket?.used(reply.finished);
    return { kind: reply.kind };
  }

  private keysOf(hold: Hold) {
    return {
      ledger: this.ledgerKey(hold),
      jobLock: this.lockKey(hold),
      cancelledMark: this.keys.cancelled(hold.runId),
    };
  }

  /**
   * Records a step's result as JSON text, unless it is there already. The account and the prompt go with it in the same
   * command, for display only.
   * @returns The recorded result: this one, or the one that was there.
   * @throws {LockLostError} Another worker holds the job; nothing was written.
   */
  async recordStep(hold: Hold, step: RecordedStep): Promise<string> {
    const prompt = step.prompt === undefined ? null : this.prompts.toWrite(hold.agent, step.prompt);
    const reply = await this.steps.run({
      ledger: this.ledgerKey(hold),
      jobLock: this.lockKey(hold),
      touches: prompt === null ? [] : [prompt.key],
      token: hold.token,
      stepField: `s:${step.name}`,
      result: step.result,
      digest: hold.digest,
      accountField: `a:${step.name}`,
      account: step.account ?? null,
      promptKey: prompt?.key ?? null,
      promptText: prompt?.text ?? null,
      promptLifeMs: this.prompts.lifeMs,
    });
    if (reply.kind === "lost") throw new LockLostError(hold.messageId);
    if (prompt !== null) this.prompts.written(prompt.key);
    return reply.kind === "before" ? reply.result : step.result;
  }

  /** Returns what a message's entry holds, for display; null if there is none, or it is kept no more. */
  async read(agent: string, messageId: string): Promise<LedgerEntry | null> {
    const key = this.keys.ledger(agent, messageId);
    try {
      const fields = await this.redis.hgetall(key);
      return Object.keys(fields).length === 0 ? null : toEntry(fields);
    } catch (error) {
      // A key of another type.
      if (!isRedisReply(error)) throw error;
      return { digest: null, steps: [], effects: [], isUnreadable: true };
    }
  }

  /** Returns the text of a prompt's instructions; null if it is kept no more. */
  async promptOf(agent: string, sha256: string): Promise<string | null> {
    return this.redis.get(this.keys.prompt(agent, sha256));
  }

  /** Returns the SHA-256 of the sealed bytes that the receiver saw under this id; null if it saw none. */
  async digestOf(agent: string, messageId: string): Promise<string | null> {
    return this.redis.hget(this.keys.ledger(agent, messageId), "digest");
  }

  /** Settles a message whose job BullMQ gave up. @returns A decision that writes false if it was settled before. */
  decideStranded(
    { agent, messageId }: { readonly agent: string; readonly messageId: string },
    { outcome, effects }: { readonly outcome: string; readonly effects: Effects },
  ): Decision<boolean> {
    const write = (call: EffectsCall): Promise<boolean> =>
      settleStranded.run(this.redis, {
        touches: touchedBy(call),
        ledger: this.keys.ledger(agent, messageId),
        outcome,
        lifeMs: this.lifeMs,
        nowMs: now(),
        ...call,
      });
    return { effects, write };
  }

  /** Extends a ledger entry by a retention from now: repeated while a case holds it, so that paid steps stay. */
  async remember(agent: string, messageId: string): Promise<void> {
    await this.redis.pexpire(this.keys.ledger(agent, messageId), this.lifeMs);
  }

  /** Returns the steps recorded by the dead message that this one replaces; empty if its digest differs. */
  async stepsOf(
    agent: string,
    message: { readonly messageId: string; readonly digest: string },
  ): Promise<ReadonlyMap<string, string>> {
    const fields = await this.redis.hgetall(this.keys.ledger(agent, message.messageId));
    if (fields["digest"] !== message.digest) return new Map();
    return toRecord(Object.entries(fields).flat()).steps;
  }

  private ledgerKey(hold: Hold): string {
    return this.keys.ledger(hold.agent, hold.messageId);
  }

  private lockKey(hold: Hold): string {
    return this.keys.lock(hold.queue, hold.jobId);
  }
}
