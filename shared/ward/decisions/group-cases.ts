import { SutureError } from "#shared/errors";
import type { Store } from "#shared/store";
import type { StoredCase } from "#shared/store/cases";
import type { Batch, BatchCase, Source } from "../batches/batch.ts";
import { BatchRunner } from "../batches/batch-runner.ts";
import { batchField, messagesAt, recordOf } from "../case-record.ts";
import { verifyDischarge } from "../moves/verify-discharge.ts";
import { toWardCase } from "../ward-case.ts";
import { decide } from "./decide.ts";

/** `operate`: the free procedures would heal it, with proof; `release`: its contract accepts it as it is. */
type WouldPass = (stored: StoredCase, decision: "operate" | "release") => Promise<boolean>;

/** Cases of one batch, at most. */
const CASES_MAX = 10_000;
const PAGE = 500;

/** Returns the batches of the ward's own cases. @param wouldPass - Default: null, in a process that only plans them. */
export function groupBatches(store: Store, wouldPass: WouldPass | null = null): BatchRunner {
  return new BatchRunner(store.cases.batches, new GroupCases(store, wouldPass));
}

/** The ward's own cases, as batches decide on them. What was decided stands in the case, and survives a crash. */
class GroupCases implements Source {
  readonly decisions = ["operate", "release", "discard"] as const;
  readonly reverts = ["discard"] as const;
  private readonly store: Store;
  private readonly judge: WouldPass | null;

  constructor(store: Store, judge: WouldPass | null) {
    this.store = store;
    this.judge = judge;
  }

  async *members(fingerprint: string): AsyncGenerator<readonly string[]> {
    const { cases } = this.store;
    for (let from = 0, count = 0; count < CASES_MAX; from += PAGE) {
      const ids = await cases.idsOf({ kind: "group", fingerprint }, { from, limit: PAGE });
      const found = await Promise.all(ids.map((id) => cases.findHead(id)));
      const waiting = found.flatMap((one) => (one?.status === "quarantined" ? [one.case_id] : []));
      yield waiting.slice(0, CASES_MAX - count);
      count += waiting.length;
      if (ids.length < PAGE) return;
    }
  }

  async wouldPass(id: string, { decision }: Batch): Promise<boolean> {
    const stored = await this.store.cases.find(id);
    if (stored?.status !== "quarantined") return false;
    if (decision === "discard" || decision === "restore") return true;
    return this.judge !== null && (await this.judge(stored, decision));
  }

  async decide(id: string, batch: Batch): ReturnType<Source["decide"]> {
    const { decision, by, person, why, batch_id, undoes } = batch;
    const stored = await this.store.cases.find(id);
    if (stored === null) return { refused: "gone" };
    // Decided in an earlier round that crashed before it recorded that.
    if (messagesAt(stored, batch_id) !== null) return "decided";
    const pending = toWardCase(stored).decision;
    if (pending?.batch_id === batch_id) return "decided";
    // The discard to revert is not carried out yet; the next round tries again.
    if (pending !== null && pending.batch_id === undoes) return "later";
    try {
      await decide(this.store, { case_id: id, decision, by, person, why, batch_id });
      return "decided";
    } catch (error) {
      if (!(error instanceof SutureError)) throw error;
      return { refused: "in_another_state" };
    }
  }

  async look(id: string, { batch_id }: Batch): Promise<BatchCase> {
    const stored = await this.store.cases.findHead(id, [batchField(batch_id)]);
    if (stored === null) return { case_id: id, status: null, agent: "", result: "ended" };
    const messages = messagesAt(stored, batch_id);
    const result =
      messages === null ? "refused" : await verifyDischarge(this.store, { caseId: id, messages });
    return { case_id: id, status: stored.status, agent: recordOf(stored).agent ?? "", result };
  }

  /** A case that the batch discarded or is about to; not one restored and discarded again by someone else. */
  async isUndoable(id: string, batchIds: readonly [string, ...string[]]): Promise<boolean> {
    const stored = await this.store.cases.findHead(id, batchIds.map(batchField));
    if (stored === null) return false;
    const [own, ...undone] = batchIds;
    const isOf = (batchId: string): boolean => messagesAt(stored, batchId) !== null;
    if (!isOf(own) || undone.some(isOf)) return false;
    return stored.status === "discarded" || toWardCase(stored).decision?.batch_id === own;
  }
}
