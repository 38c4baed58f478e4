import type { Operation } from "rfc6902";
import type { Batch, BatchCase, Source } from "#shared/ward/batches";
import type { JobCase } from "../job-case.ts";
import type { WardSteps } from "../options.ts";
import type { Proposal } from "../propose.ts";

/** The memory of one batch. */
interface Notes {
  /** Jobs that were written to; true if they were sent back too. */
  readonly touched: Map<string, boolean>;
  /** Changes of the first jobs. */
  readonly examples: Map<string, readonly Operation[]>;
}

/** Does something with the ward of the queue. */
type Use = <Result>(work: (ward: WardSteps) => Promise<Result>) => Promise<Result>;

const EXAMPLES_MAX = 5;
/** Batches that are remembered. */
const NOTES_MAX = 50;

/** The failed jobs of a queue, as batches decide on them. What was done is known to this process alone. */
export class FailedJobs implements Source {
  readonly decisions = ["operate", "release"] as const;
  readonly reverts = ["operate", "release"] as const;
  private readonly queue: string;
  private readonly use: Use;
  private readonly notes = new Map<string, Notes>();

  constructor(queue: string, use: Use) {
    this.queue = queue;
    this.use = use;
  }

  async *members(group: string): AsyncGenerator<readonly string[]> {
    const cases = await this.use((ward) => Promise.resolve(ward.cases()));
    for (;;) {
      const next = await this.use(async (ward) => {
        const { done, value } = await cases.next();
        return done === true ? null : { id: value.id, group: ward.groupOf(value) };
      });
      if (next === null) return;
      if (next.group === group) yield [next.id];
    }
  }

  wouldPass(id: string, batch: Batch): Promise<boolean> {
    return this.use(async (ward) => !("refused" in (await this.prepare(ward, id, batch))));
  }

  decide(id: string, batch: Batch): ReturnType<Source["decide"]> {
    const { by, batch_id } = batch;
    const acceptsEffects = batch.accepts_effects === "1";
    const { touched } = this.notesOf(batch_id);
    return this.use(async (ward) => {
      if (batch.decision === "restore") {
        const undone = await ward.undo(id, by);
        touched.set(id, undone === "undone");
        return undone === "undone" ? "decided" : { refused: undone };
      }
      const prepared = await this.prepare(ward, id, batch);
      if ("refused" in prepared) return prepared;
      const { jobCase, repair } = prepared;
      const data = repair === null ? {} : { data: repair.data };
      const sent = await ward.redrive(jobCase, { ...data, by, acceptsEffects, batch: batch_id });
      // BullMQ has refused one that is unreadable only after it was written to.
      if (sent.kind === "written" || sent.reason === "unreadable") touched.set(id, sent.kind === "written");
      return sent.kind === "written" ? "decided" : { refused: sent.reason };
    });
  }

  async look(id: string, { batch_id, decision }: Batch): Promise<BatchCase> {
    const one = { case_id: id, agent: this.queue };
    const isSent = this.notesOf(batch_id).touched.get(id) === true;
    const state = await this.use((ward) => ward.stateOf(id));
    const status = state === "failed" ? "quarantined" : "released";
    if (!isSent) return { ...one, status, result: "refused" };
    if (decision === "restore") return { ...one, status, result: "ended" };
    // A job that is gone was removed on completion: one that is removed on failure is in no failed set.
    const isDone = state === "completed" || state === "unknown";
    return { ...one, status, result: state === "failed" ? "died_again" : isDone ? "went_on" : "under_way" };
  }

  isUndoable(id: string, [own, ...others]: readonly [string, ...string[]]): Promise<boolean> {
    const isRestored = others.some((one) => this.notesOf(one).touched.get(id) === true);
    return Promise.resolve(!isRestored && this.notesOf(own).touched.has(id));
  }

  /** Returns the changes of the first jobs of a batch. */
  examplesOf(batchId: string): readonly { readonly id: string; readonly changes: readonly Operation[] }[] {
    return [...this.notesOf(batchId).examples].map(([id, changes]) => ({ id, changes }));
  }

  /** Reads a job again, which may have changed since it was chosen, and proposes its repair. */
  private async prepare(
    ward: WardSteps,
    id: string,
    { batch_id, decision, fingerprint }: Batch,
  ): Promise<
    | { readonly jobCase: JobCase; readonly repair: Extract<Proposal, { kind: "repair" }> | null }
    | { readonly refused: string }
  > {
    const jobCase = await ward.find(id);
    if (jobCase === null) return { refused: "not_failed" };
    if (ward.groupOf(jobCase) !== fingerprint) return { refused: "changed" };
    const repair = decision === "release" ? null : await ward.propose(jobCase, await ward.recipes());
    if (repair?.kind === "none") return { refused: "no_repair" };
    const { examples } = this.notesOf(batch_id);
    if (examples.size < EXAMPLES_MAX) examples.set(id, repair?.changes ?? []);
    return { jobCase, repair };
  }

  private notesOf(batchId: string): Notes {
    const known = this.notes.get(batchId);
    if (known !== undefined) return known;
    const made: Notes = { touched: new Map(), examples: new Map() };
    this.notes.set(batchId, made);
    const [oldest = ""] = this.notes.keys();
    if (this.notes.size > NOTES_MAX) this.notes.delete(oldest);
    return made;
  }
}
