import { createHmac, randomBytes } from "node:crypto";
import { OPERATORS } from "#shared/api";
import type { Call } from "#shared/api";
import { BullmqWard, WardOptionsInvalidError } from "#shared/bullmq-ward";
import type { CaseGroup, JobCase } from "#shared/bullmq-ward";
import { FailedJobs } from "#shared/bullmq-ward/batches";
import { now, sleep, uuidv7 } from "#shared/clock";
import { SutureError } from "#shared/errors";
import { AbsentError, ForbiddenError } from "#shared/http";
import { openAttached as openQueue } from "#shared/store/attached";
import type { OpenedQueue } from "#shared/store/attached";
import { BatchStateError } from "#shared/ward";
import { BatchRunner, MemoryBatches } from "#shared/ward/batches";
import type { Batch, BatchRequest, UndoRequest } from "#shared/ward/batches";
import { forAllTeams } from "../api/guards/caller.ts";
import type { Caller } from "../api/guards/caller.ts";
import { AttachedAwayError } from "../errors.ts";
import type { AttachedTarget } from "./read-targets.ts";

type Connected = OpenedQueue & { readonly ward: BullmqWard };

const ANSWER_MS = 5000;
/** Keys the versions of cases. Another process, or this one after a restart, gives other versions. */
const VERSION_KEY = randomBytes(32);
/** Bytes of a version: what a number in JSON holds. */
const VERSION_BYTES = 6;

/** One attached queue, over a connection that is opened when it is used and given up when it is silent. */
export class AttachedQueue {
  readonly name: string;
  readonly contract: AttachedTarget["contract"];
  readonly survey = new Survey(this);
  readonly batches: AttachedBatches;
  private readonly target: AttachedTarget;
  private connected: Promise<Connected> | null = null;
  private isClosed = false;

  constructor(target: AttachedTarget) {
    this.target = target;
    this.name = target.name;
    this.contract = target.contract;
    this.batches = new AttachedBatches(this);
  }

  /** Does something with the ward. @throws {AttachedAwayError} Redis is away, or silent; nothing more is sent then. */
  async use<Result>(work: (ward: BullmqWard) => Promise<Result>): Promise<Result> {
    const away = () => new AttachedAwayError(this.name);
    if (this.isClosed) throw away();
    const connected = await (this.connected ??= this.connect());
    const silence = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      this.giveUp(connected);
      silence.reject(away());
    }, this.target.answerMs ?? ANSWER_MS);
    try {
      if (connected.redis.status !== "ready") throw away();
      return await Promise.race([work(connected.ward), silence.promise]);
    } catch (error) {
      throw error instanceof SutureError || connected.redis.status === "ready" ? error : away();
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.isClosed = true;
    this.connected?.then((one) => this.giveUp(one)).catch(() => undefined);
  }

  /** Returns the version of a case's data as people get it: keyed, because a plain digest would tell short values. */
  versionOf({ queue, id, version }: JobCase): number {
    const digest = createHmac("sha256", VERSION_KEY)
      .update(JSON.stringify([queue, id, version]))
      .digest();
    return digest.readUIntBE(0, VERSION_BYTES);
  }

  private async connect(): Promise<Connected> {
    const { url, prefix, name, contract, logger, answerMs = ANSWER_MS } = this.target;
    const onError = (error: unknown): void => logger.debug({ err: error, queue: name }, "attached queue");
    let opened: OpenedQueue | null = null;
    try {
      opened = await openQueue({ url, name, prefix, onError, answerMs });
      const options = { redis: opened.redis, ...(contract === null ? {} : { contract }) };
      return { ...opened, ward: new BullmqWard(opened.queue, options) };
    } catch (error) {
      onError(error);
      this.connected = null;
      await opened?.close();
      throw error instanceof WardOptionsInvalidError ? error : new AttachedAwayError(name);
    }
  }

  private giveUp(connected: Connected): void {
    this.connected = null;
    // First: a queue that closes waits for a connection that may not come back.
    connected.redis.disconnect();
    void connected.close().catch(() => undefined);
  }
}

type Asking = Pick<Call<object>, "params" | "query">;

/** The subject of a request by its parts; null if it is the ward's own. */
export function findAttached(call: Asking): { readonly queue: string; readonly id: string } | null {
  // Checked: an object of texts and numbers where it is declared.
  const { source, fingerprint } = (call.query ?? {}) as Readonly<Record<string, string | undefined>>;
  if (source !== undefined) return { queue: source, id: "" };
  // As above: parts of the address are texts.
  const params = (call.params ?? {}) as Readonly<Record<string, string>>;
  const [named = fingerprint ?? ""] = Object.values(params);
  const [, queue, id] = /^bullmq:([^:]+):(.*)$/su.exec(named) ?? [];
  return queue === undefined || id === undefined ? null : { queue, id };
}

/** Returns a request's queue. @throws {AbsentError} No such queue. {ForbiddenError} It is not for this caller. */
export function openAttached(
  call: Asking & {
    readonly console: { readonly attached: readonly AttachedQueue[] };
    readonly caller: Caller;
  },
  scopes = OPERATORS,
): { readonly queue: AttachedQueue; readonly id: string } {
  const { caller } = call;
  if (caller.teams !== null) throw forAllTeams(caller);
  if (!scopes.includes(caller.role)) throw new ForbiddenError(caller.role, scopes, caller.name);
  const named = findAttached(call);
  const queue = call.console.attached.find(({ name }) => name === named?.queue);
  if (queue === undefined) throw new AbsentError("attached queue");
  return { queue, id: named?.id ?? "" };
}

/** Groups of a queue's failed jobs at one time. */
interface Surveyed {
  /** False while it is the first one and goes on, or if it took too long. */
  readonly isComplete: boolean;
  readonly groups: readonly CaseGroup[];
}

/** Pause between two surveys of one queue, in ms; or twice the time of the last one, if that is longer. */
const EVERY_MS = 3000;
/** Time of one survey, in ms. Jobs that were not looked at by then are not counted. */
const SURVEY_MS_MAX = 30_000;
/** Longest wait of a request for a survey that is under way, in ms. */
const WAIT_MS = 500;

/** Surveys one attached queue when somebody looks, one survey at a time, and remembers the newest. */
class Survey {
  private readonly queue: Pick<AttachedQueue, "use">;
  private latest: Surveyed = { isComplete: false, groups: [] };
  private running: Promise<void> | null = null;
  private nextAtMs = 0;

  constructor(queue: Pick<AttachedQueue, "use">) {
    this.queue = queue;
  }

  /** Returns the newest survey, after waiting for half a second at most for one that is under way or due. */
  async look(): Promise<Surveyed> {
    if (this.running === null && now() >= this.nextAtMs)
      this.running = this.survey()
        // The queue is away: its counts say so.
        .catch(() => undefined)
        .finally(() => (this.running = null));
    if (this.running !== null) await Promise.race([this.running, sleep(WAIT_MS)]);
    return this.latest;
  }

  /** Makes the next look survey anew: jobs were changed. */
  expire(): void {
    this.nextAtMs = 0;
  }

  private async survey(): Promise<void> {
    const beganMs = now();
    // Set before it begins, so that what is changed meanwhile can bring the next one forward.
    this.nextAtMs = Infinity;
    try {
      // Finishes what a process that died had begun to send.
      const pages = await this.queue.use(async (ward) => {
        await ward.recover();
        return ward.survey();
      });
      let groups: readonly CaseGroup[] = [];
      for (;;) {
        const page = await this.queue.use(() => pages.next());
        if (page.done === true) return void (this.latest = { groups, isComplete: true });
        groups = page.value;
        const isLong = now() - beganMs > SURVEY_MS_MAX;
        if (isLong || !this.latest.isComplete) this.latest = { groups, isComplete: false };
        if (isLong) return void (await pages.return(undefined));
      }
    } finally {
      const tookMs = now() - beganMs;
      if (this.nextAtMs === Infinity) this.nextAtMs = now() + Math.max(EVERY_MS, 2 * tookMs);
    }
  }
}

/** Longest wait of a request for the work that it has begun, in ms: most of it has ended by then. */
const BEGUN_WAIT_MS = 1000;
/** Jobs that are verified when somebody looks; more are verified by the looks that follow. */
const VERIFIED_PER_LOOK = 1000;

/** Batches of one attached queue. They end with this process. */
class AttachedBatches extends BatchRunner {
  readonly jobs: FailedJobs;
  /** The work on each batch, so that one that goes on right after its pause is not worked on twice at once. */
  private readonly working = new Map<string, Promise<unknown>>();
  private readonly queue: AttachedQueue;

  constructor(queue: AttachedQueue) {
    const jobs = new FailedJobs(queue.name, (work) => queue.use(work));
    super(new MemoryBatches(), jobs);
    this.jobs = jobs;
    this.queue = queue;
  }

  /** @throws {AttachedAwayError} */
  override async plan(request: BatchRequest): Promise<Batch> {
    // A queue that is away is an error of this request.
    await this.queue.use((ward) => ward.counts());
    const batch_id = uuidv7();
    return this.goOn(batch_id, super.plan({ ...request, batch_id }));
  }

  override async start(batchId: string): Promise<Batch> {
    return this.goOn(batchId, super.start(batchId));
  }

  override async undo(request: UndoRequest): Promise<Batch> {
    const { batch_id } = await super.undo(request);
    return this.goOn(batch_id, Promise.resolve());
  }

  /** Returns all as they stand now, the newest first: jobs that were under way are looked at again. */
  override async list(): Promise<Batch[]> {
    const open = (await super.list()).filter(({ under_way }) => under_way > 0);
    await Promise.all(open.map(({ batch_id }) => this.refresh(batch_id)));
    return super.list();
  }

  /** Looks what became of the jobs of a batch, unless the queue is away. */
  async refresh(batchId: string): Promise<void> {
    const batch = await this.find(batchId);
    if (batch !== null) await this.verify(batch, VERIFIED_PER_LOOK).catch(() => undefined);
  }

  /** Goes on by itself until the batch rests. Resolves then, or after a second. */
  private async goOn(batchId: string, begun: Promise<unknown>): Promise<Batch> {
    const before = this.working.get(batchId);
    const working = begun
      .then(() => before)
      .then(() => this.drive(batchId))
      .catch(async (error: unknown) => {
        const batch = await this.find(batchId);
        if (batch === null || error instanceof BatchStateError) throw error;
        const problem = error instanceof Error ? error.message : String(error);
        await this.batches.set(batchId, { problem });
        await this.move(batch, "stopped");
      })
      .finally(() => this.queue.survey.expire());
    const forget = (): void => {
      if (this.working.get(batchId) === ended) this.working.delete(batchId);
    };
    const ended: Promise<void> = working.then(forget, forget);
    this.working.set(batchId, ended);
    await Promise.race([working, sleep(BEGUN_WAIT_MS)]);
    return this.get(batchId);
  }
}
