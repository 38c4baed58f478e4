import type { BatchStore, CasePages, StoredBatch } from "./batch.ts";

/** Ended batches beyond this number of all are forgotten, the oldest first. */
const KEPT_MAX = 50;

interface Kept {
  fields: StoredBatch;
  cases: string[];
  readonly passing: string[];
}

/** Keeps batches in the memory of this process. One is seen while its cases are still taken in. */
export class MemoryBatches implements BatchStore {
  private readonly kept = new Map<string, Kept>();

  async create(batchId: string, fields: StoredBatch, pages: CasePages): Promise<void> {
    const cases: string[] = [];
    const batch: Kept = { fields, cases, passing: [] };
    this.kept.set(batchId, batch);
    const ended = [...this.kept].find(([, one]) => /^(?:done|stopped)$/.test(one.fields["state"] ?? ""));
    if (this.kept.size > KEPT_MAX && ended !== undefined) this.kept.delete(ended[0]);
    for await (const ids of pages) {
      if (batch.fields["state"] === "stopped") return;
      cases.push(...ids);
    }
    await this.set(batchId, { total: String(cases.length) });
  }

  find(batchId: string): Promise<StoredBatch | null> {
    return Promise.resolve(this.kept.get(batchId)?.fields ?? null);
  }

  ids(): Promise<string[]> {
    return Promise.resolve([...this.kept.keys()]);
  }

  cases(batchId: string, { from, limit }: { from: number; limit: number }): Promise<string[]> {
    return Promise.resolve(this.kept.get(batchId)?.cases.slice(from, from + limit) ?? []);
  }

  set(batchId: string, fields: StoredBatch): Promise<void> {
    const batch = this.kept.get(batchId);
    if (batch !== undefined) batch.fields = { ...batch.fields, ...fields };
    return Promise.resolve();
  }

  async move(batchId: string, { from, to, atMs }: Parameters<BatchStore["move"]>[1]): Promise<boolean> {
    if (this.kept.get(batchId)?.fields["state"] !== from) return false;
    await this.set(batchId, { state: to, changed_ms: String(atMs) });
    return true;
  }

  pass(batchId: string, ids: readonly string[]): Promise<void> {
    this.kept.get(batchId)?.passing.push(...ids);
    return Promise.resolve();
  }

  putPassingFirst(batchId: string): Promise<void> {
    const batch = this.kept.get(batchId);
    const first = new Set(batch?.passing);
    if (batch !== undefined) batch.cases = [...first, ...batch.cases.filter((id) => !first.has(id))];
    return Promise.resolve();
  }

  forget(batchId: string): Promise<void> {
    this.kept.delete(batchId);
    return Promise.resolve();
  }
}
