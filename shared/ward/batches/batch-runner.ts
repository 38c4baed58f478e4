import { now, sleep, uuidv7 } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { ACTIVE, hasEnded, lengthOf, toBatch } from "./batch.ts";
import type { Batch, BatchCase, BatchDecision, BatchStore, CasePages, Source } from "./batch.ts";
import { BatchStateError } from "../errors.ts";

export interface BatchRequest {
  /** Default: a new one. */
  readonly batch_id?: string;
  readonly fingerprint: string;
  readonly decision: Exclude<BatchDecision, "restore">;
  readonly by: string;
  /** Identity of the person, the same for all their API keys; null if unknown. Default: `by`. */
  readonly person?: string | null;
  readonly why: string;
  readonly accepts_effects?: boolean;
  /** Number of cases to try first. Default 5; 0 for none. */
  readonly canary?: number;
  /** Maximum cases per second. Default 10. */
  readonly rate_per_second?: number;
  /** Default true: it begins with a dry run. */
  readonly is_checked_first?: boolean;
  /** Leaves cases alone that the dry run found to fail. Default false: they come last. */
  readonly only_passing?: boolean;
}

export type UndoRequest = Pick<BatchRequest, "by" | "person" | "why"> & { readonly batchId: string };

const CANARY_DEFAULT = 5;
export const CANARY_MAX = 10_000;
const RATE_DEFAULT = 10;
export const RATE_MAX = 1000;
/** Rate of a reversal. Higher than the default, so that it does not take as long as what it reverts. */
const UNDO_RATE = 100;
const PAGE = 200;

/** Maximum cases checked per step in a dry run, and verified per step. */
const CHECKED_PER_STEP = 200;
const VERIFIED_PER_STEP = 100;

/** Delay that a late step makes up for, in ms; or that of one case, if that is longer. */
const CATCH_UP_MS = 2000;
/** Time between two steps of `drive`, in ms. */
const STEP_MS = 100;

/**
 * Carries out one decision on many cases of a source: dry run, canary, a look, the rest at a rate, undo. Progress is
 * stored as it goes, so that another runner over the same store goes on after a crash.
 */
export class BatchRunner {
  protected readonly batches: BatchStore;
  private readonly source: Source;

  constructor(batches: BatchStore, source: Source) {
    this.batches = batches;
    this.source = source;
  }

  /**
   * Plans a batch: one decision for all cases of a group that wait now. Changes no case: the dry run counts how many
   * would pass, then a person starts it with `start`.
   * @throws {BatchStateError} The source knows no such decision, the rate or canary is out of range, or no name.
   */
  async plan(request: BatchRequest): Promise<Batch> {
    const { canary = CANARY_DEFAULT, rate_per_second: rate = RATE_DEFAULT } = request;
    const { batch_id: batchId = uuidv7(), fingerprint, is_checked_first: isCheckedFirst = true } = request;
    const refuse = (problem: string): never => {
      throw new BatchStateError(batchId, problem);
    };
    if (!this.source.decisions.includes(request.decision)) refuse(`it cannot ${request.decision} here`);
    if (!Number.isInteger(canary) || canary < 0 || canary > CANARY_MAX) refuse("the canary is out of range");
    if (!(rate > 0 && rate <= RATE_MAX)) refuse(`the rate is not above 0 and at most ${RATE_MAX} a second`);
    const state = isCheckedFirst ? "dry_run" : "planned";
    const own = { fingerprint, decision: request.decision, state, canary, rate_per_second: rate };
    return this.create(batchId, request, { own, pages: this.source.members(fingerprint) });
  }

  /** Starts a planned batch, or continues after the canary or a pause. @throws {BatchStateError} Another state. */
  async start(batchId: string): Promise<Batch> {
    const batch = await this.get(batchId);
    const { state, canary, decided } = batch;
    if (state !== "planned" && state !== "look") throw new BatchStateError(batchId, `it is ${state}`);
    const isMoved = await this.move(batch, decided < canary ? "canary" : "running");
    const present = await this.get(batchId);
    if (!isMoved) throw new BatchStateError(batchId, `it is ${present.state} by now`);
    return present;
  }

  /** Stops a batch. Decisions already made stand. @throws {BatchStateError} It has ended. */
  stop(batchId: string): Promise<Batch> {
    return this.halt(batchId, "stopped", (batch) => !hasEnded(batch));
  }

  /** Pauses a batch at work: it waits for a look until `start`. @throws {BatchStateError} Nothing is being decided. */
  pause(batchId: string): Promise<Batch> {
    return this.halt(batchId, "look", ({ state }) => state === "canary" || state === "running");
  }

  /** Reverts a batch by a new one that starts at once; other cases are refused. @throws {BatchStateError} */
  async undo({ batchId, ...request }: UndoRequest): Promise<Batch> {
    const found = await this.get(batchId);
    const { decision, fingerprint, total } = found;
    if (!this.source.reverts.includes(decision))
      throw new BatchStateError(batchId, `${decision} cannot be undone`);
    assertNamed(batchId, request.by);
    if (!hasEnded(found)) await this.stop(batchId);
    const undone = (await this.list()).filter(({ undoes }) => undoes === batchId);
    const batchIds = [batchId, ...undone.map(({ batch_id }) => batch_id)] as const;
    const cases: string[] = [];
    for (let from = 0; from < total; from += PAGE) {
      const ids = await this.batches.cases(batchId, { from, limit: PAGE });
      const isOwn = await Promise.all(ids.map((id) => this.source.isUndoable(id, batchIds)));
      cases.push(...ids.filter((_, at) => isOwn[at]));
    }
    if (cases.length === 0) throw new BatchStateError(batchId, "nothing of it can be undone any more");
    const own = { fingerprint, decision: "restore", undoes: batchId, state: "running", canary: 0 };
    return this.create(uuidv7(), request, { own: { ...own, rate_per_second: UNDO_RATE }, pages: [cases] });
  }

  async find(batchId: string): Promise<Batch | null> {
    const fields = await this.batches.find(batchId);
    return fields === null ? null : toBatch(batchId, fields);
  }

  /** Returns all batches, the newest first. */
  async list(): Promise<Batch[]> {
    const found = await Promise.all((await this.batches.ids()).map((id) => this.find(id)));
    return found.filter((one) => one !== null).toSorted((a, b) => b.created_ms - a.created_ms);
  }

  /** Returns the cases of a batch with their results, in the order of their decisions. @throws {BatchStateError} */
  async cases(
    batchId: string,
    { offset, limit }: { readonly offset: number; readonly limit: number },
  ): Promise<BatchCase[]> {
    const batch = await this.get(batchId);
    const ids = await this.batches.cases(batchId, { from: offset, limit });
    const seen = await Promise.all(ids.map((id) => this.source.look(id, batch)));
    const end = batch.decided + batch.refused - offset;
    const rest = (at: number) => (at < lengthOf(batch) - offset ? "not_yet" : "left_alone");
    return seen.map((one, at) => (at < end ? one : { ...one, result: rest(at) }));
  }

  /** Advances all batches by one step; stops one that waits, and deletes an ended one, after the retention. */
  async round(retentionMs: number): Promise<void> {
    for (const batch of await this.list()) {
      const isOld = !ACTIVE.has(batch.state) && now() - batch.changed_ms > retentionMs;
      if (isOld && hasEnded(batch)) {
        await this.batches.forget(batch.batch_id);
        continue;
      }
      if (isOld) await this.move(batch, "stopped");
      else await this.step(batch);
      if (batch.decided + batch.refused > 0) await this.verify(batch, VERIFIED_PER_STEP);
    }
  }

  /** Advances one batch until it rests: planned, before a look, or ended. */
  async drive(batchId: string): Promise<Batch> {
    for (let before = await this.get(batchId); ACTIVE.has(before.state);) {
      await this.step(before);
      const batch = await this.get(batchId);
      if (batch.state === before.state && batch.state !== "dry_run") await sleep(STEP_MS);
      before = batch;
    }
    return this.get(batchId);
  }

  /** Verifies further decided cases; publishes the counts after the last one. */
  async verify(batch: Batch, limit: number): Promise<void> {
    const end = batch.decided + batch.refused;
    const fields = (await this.batches.find(batch.batch_id)) ?? {};
    const from = Number(fields["walk"] ?? 0);
    const range = { from, limit: Math.min(limit, Math.max(0, end - from)) };
    const ids = await this.batches.cases(batch.batch_id, range);
    const seen = await Promise.all(ids.map((id) => this.source.look(id, batch)));
    const sums = (["went_on", "died_again", "ended"] as const).map((name) => {
      const sum = Number(fields[`walk_${name}`] ?? 0);
      return [name, String(sum + seen.filter(({ result }) => result === name).length)] as const;
    });
    const isThrough = from + ids.length >= end;
    const walked = sums.map(([name, sum]) => [`walk_${name}`, isThrough ? "0" : sum]);
    const published = sums.map(([name, sum]) => [name === "ended" ? "left_behind" : name, sum]);
    await this.batches.set(batch.batch_id, {
      walk: isThrough ? "0" : String(from + ids.length),
      ...Object.fromEntries([...walked, ...(isThrough ? published : [])]),
    });
  }

  /** @throws {BatchStateError} There is none of that name. */
  protected async get(batchId: string): Promise<Batch> {
    const found = await this.find(batchId);
    if (found === null) throw new BatchStateError(batchId, "there is none of that name");
    return found;
  }

  /** Advances the state, unless it has changed meanwhile: a person's stop wins. */
  protected move({ batch_id, state }: Batch, to: Batch["state"]): Promise<boolean> {
    return this.batches.move(batch_id, { from: state, to, atMs: now() });
  }

  private async halt(
    batchId: string,
    to: "stopped" | "look",
    mayHalt: (batch: Batch) => boolean,
  ): Promise<Batch> {
    for (;;) {
      const batch = await this.get(batchId);
      if (!mayHalt(batch)) throw new BatchStateError(batchId, `it is ${batch.state}`);
      // A runner may have advanced it meanwhile: then the state that it has now is judged.
      if (await this.move(batch, to)) return this.get(batchId);
    }
  }

  private async create(
    batchId: string,
    {
      by,
      person = by,
      why,
      accepts_effects: accepts = false,
      only_passing: onlyPassing = false,
    }: Omit<BatchRequest, "fingerprint" | "decision">,
    of: { readonly own: Readonly<Record<string, string | number>>; readonly pages: CasePages },
  ): Promise<Batch> {
    assertNamed(batchId, by);
    const at = now();
    const who = { by, ...(person === null ? {} : { person }), why: why.slice(0, 2000) };
    const choices = { accepts_effects: accepts ? 1 : 0, only_passing: onlyPassing ? 1 : 0 };
    const fields = { ...of.own, ...who, ...choices, created_ms: at, changed_ms: at };
    const texts = Object.entries(fields).map(([name, value]) => [name, String(value)] as const);
    await this.batches.create(batchId, Object.fromEntries(texts), of.pages);
    const batch = await this.get(batchId);
    if (batch.total > 0) return batch;
    await this.move(batch, "done");
    return this.get(batchId);
  }

  private step(batch: Batch): Promise<void> {
    if (batch.state === "dry_run") return this.check(batch);
    return ACTIVE.has(batch.state) ? this.proceed(batch) : Promise.resolve();
  }

  private async check(batch: Batch): Promise<void> {
    const { batch_id: batchId, checked: from, total } = batch;
    const ids = await this.batches.cases(batchId, { from, limit: CHECKED_PER_STEP });
    const passing: string[] = [];
    for (const id of ids) if (await this.source.wouldPass(id, batch)) passing.push(id);
    // First: a step that a crash repeats notes them twice, which counts once.
    if (passing.length > 0) await this.batches.pass(batchId, passing);
    const [checked, passed] = [from + ids.length, batch.would_pass + passing.length];
    await this.batches.set(batchId, { checked: String(checked), would_pass: String(passed) });
    if (checked < total) return;
    await this.batches.putPassingFirst(batchId);
    await this.move(batch, total === 0 ? "done" : "planned");
  }

  private async proceed(batch: Batch): Promise<void> {
    const { batch_id: batchId, rate_per_second: rate, canary } = batch;
    const length = lengthOf(batch);
    const fields = await this.batches.find(batchId);
    const caseMs = 1000 / rate;
    let dueMs = Number(fields?.["last_ms"] ?? now() - caseMs);
    dueMs = Math.max(dueMs, now() - Math.max(CATCH_UP_MS, caseMs));
    const from = batch.decided + batch.refused;
    // A case whose time has come but for the rounding of a division is due.
    const limit = Math.min(Math.floor((now() - dueMs) / caseMs + 1e-6), length - from);
    const ids = limit > 0 ? await this.batches.cases(batchId, { from, limit }) : [];
    let { decided, refused, refusals } = batch;
    const isTried = (): boolean => batch.state === "canary" && decided >= canary;
    for (const id of ids) {
      if (isTried()) break;
      // A person may have stopped it meanwhile.
      if ((await this.batches.find(batchId))?.["state"] !== batch.state) return;
      const result = await this.source.decide(id, batch);
      if (result === "later") return;
      if (result === "decided") decided += 1;
      else {
        refused += 1;
        refusals = { ...refusals, [result.refused]: (refusals[result.refused] ?? 0) + 1 };
      }
      dueMs += caseMs;
      crashPoint("W18:after_decision_before_count");
      const counts = { decided: String(decided), refused: String(refused), last_ms: String(dueMs) };
      await this.batches.set(batchId, { ...counts, refusals: JSON.stringify(refusals) });
    }
    if (decided + refused >= length) await this.move(batch, "done");
    else if (isTried()) await this.move(batch, "look");
  }
}

function assertNamed(batchId: string, by: string): void {
  if (by.trim() === "") throw new BatchStateError(batchId, "nobody is named as deciding");
}
