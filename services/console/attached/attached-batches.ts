import { FailedJobs } from "#shared/bullmq-ward/batches";
import { sleep, uuidv7 } from "#shared/clock";
import { BatchStateError } from "#shared/ward";
import { BatchRunner, MemoryBatches } from "#shared/ward/batches";
import type { Batch, BatchRequest, UndoRequest } from "#shared/ward/batches";
import type { AttachedLink } from "./attached-link.ts";

/** How long a request waits for what it has begun, in ms: most of it has ended by then. */
const WAIT_MS = 1000;
/** Jobs that are verified when somebody looks; more are verified by the looks that follow. */
const VERIFIED_PER_LOOK = 1000;

/** Batches of one attached queue. They end with this process. */
export class AttachedBatches extends BatchRunner {
  readonly jobs: FailedJobs;
  private readonly link: AttachedLink;
  private readonly onChanged: () => void;

  constructor(link: AttachedLink, onChanged: () => void) {
    const jobs = new FailedJobs(link.name, (work) => link.use(work));
    super(new MemoryBatches(), jobs);
    this.jobs = jobs;
    this.link = link;
    this.onChanged = onChanged;
  }

  /** @throws {AttachedAwayError} */
  override async plan(request: BatchRequest): Promise<Batch> {
    // A queue that is away is an error of this request.
    await this.link.use((ward) => ward.counts());
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
    const working = begun
      .then(() => this.drive(batchId))
      .catch(async (error: unknown) => {
        const batch = await this.find(batchId);
        if (batch === null || error instanceof BatchStateError) throw error;
        const problem = error instanceof Error ? error.message : String(error);
        await this.batches.set(batchId, { problem });
        await this.move(batch, "stopped");
      })
      .finally(this.onChanged);
    await Promise.race([working, sleep(WAIT_MS)]);
    return this.get(batchId);
  }
}
