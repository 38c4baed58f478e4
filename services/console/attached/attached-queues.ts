import { createHmac, randomBytes } from "node:crypto";
import { OPERATORS } from "#shared/api";
import type { Call } from "#shared/api";
import type { CaseGroup, JobCase } from "#shared/bullmq-ward";
import { FailedJobs } from "#shared/bullmq-ward/batches";
import { now, sleep, uuidv7 } from "#shared/clock";
import { AbsentError, ForbiddenError } from "#shared/http";
import { BatchStateError } from "#shared/ward";
import { BatchRunner, MemoryBatches } from "#shared/ward/batches";
import type { Batch, BatchRequest, UndoRequest } from "#shared/ward/batches";
import { forAllTeams } from "../api/guards/caller.ts";
import type { Caller } from "../api/guards/caller.ts";
import { AttachedLink } from "./attached-link.ts";
import type { AttachedTarget } from "./attached-link.ts";

/** One attached queue. */
export interface AttachedQueueParts {
  readonly name: string;
  readonly contract: AttachedTarget["contract"];
  readonly link: AttachedLink;
  readonly survey: Survey;
  readonly batches: AttachedBatches;
  /**
   * Returns the version of a case's data as people get it. It is keyed, because short values could be found from a
   * plain digest; another process, or this one after a restart, gives another one.
   */
  readonly versionOf: (jobCase: JobCase) => number;
}

/** Bytes of a version: what a number in JSON holds. */
const VERSION_BYTES = 6;

/** The attached queues of a console. None of them is connected before somebody looks. */
export class AttachedQueues {
  readonly list: readonly AttachedQueueParts[];

  constructor(targets: readonly AttachedTarget[]) {
    const versionKey = randomBytes(32);
    const versionOf = ({ queue, id, version }: JobCase): number =>
      createHmac("sha256", versionKey)
        .update(JSON.stringify([queue, id, version]))
        .digest()
        .readUIntBE(0, VERSION_BYTES);
    this.list = targets.map((target) => {
      const link = new AttachedLink(target);
      const survey = new Survey(link);
      const batches = new AttachedBatches({ link, survey });
      const { name, contract } = target;
      return { name, contract, link, survey, batches, versionOf };
    });
  }

  close(): void {
    for (const { link } of this.list) link.close();
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
  call: Asking & { readonly console: { readonly attached: AttachedQueues }; readonly caller: Caller },
  scopes = OPERATORS,
): { readonly queue: AttachedQueueParts; readonly id: string } {
  const { caller } = call;
  if (caller.teams !== null) throw forAllTeams(caller);
  if (!scopes.includes(caller.role)) throw new ForbiddenError(caller.role, scopes, caller.name);
  const named = findAttached(call);
  const queue = call.console.attached.list.find(({ name }) => name === named?.queue);
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
  private readonly link: AttachedLink;
  private latest: Surveyed = { isComplete: false, groups: [] };
  private running: Promise<void> | null = null;
  private nextAtMs = 0;

  constructor(link: AttachedLink) {
    this.link = link;
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
      const pages = await this.link.use(async (ward) => {
        await ward.recover();
        return ward.survey();
      });
      let groups: readonly CaseGroup[] = [];
      for (;;) {
        const page = await this.link.use(() => pages.next());
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
  private readonly queue: Pick<AttachedQueueParts, "link" | "survey">;

  constructor(queue: Pick<AttachedQueueParts, "link" | "survey">) {
    const jobs = new FailedJobs(queue.link.name, (work) => queue.link.use(work));
    super(new MemoryBatches(), jobs);
    this.jobs = jobs;
    this.queue = queue;
  }

  /** @throws {AttachedAwayError} */
  override async plan(request: BatchRequest): Promise<Batch> {
    // A queue that is away is an error of this request.
    await this.queue.link.use((ward) => ward.counts());
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
