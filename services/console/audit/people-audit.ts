import type { AnswerOf, ConsoleApi } from "#shared/api";
import { appendRecord, ChainCheck } from "#shared/people";
import type { Deed, JudgedRecord } from "#shared/people";
import type { RecordList } from "#shared/store";
import { maskSecrets } from "../masking/mask-secrets.ts";

const WHY_CHARS_MAX = 2000;

/** Writes down what people do before it is done, one record after the other. */
export class PeopleAudit {
  private readonly list: RecordList;
  private writing: Promise<unknown> = Promise.resolve();

  constructor(list: RecordList) {
    this.list = list;
  }

  /** @returns The number of the record. @throws {RecordsBusyError} Others wrote first, every time. */
  async write(deed: Deed): Promise<number> {
    // Masked before it is chained: what is shown afterwards is what was written.
    const masked = maskSecrets({ ...deed, why: deed.why.slice(0, WHY_CHARS_MAX) }) as Deed;
    const written = this.writing.then(() => appendRecord(this.list, masked));
    this.writing = written.catch(() => undefined);
    return (await written).count;
  }

  /** The newest first, each held against the one before it. */
  async newest(limit: number): Promise<JudgedRecord[]> {
    // One more, to hold the oldest of them against.
    const texts = await this.list.read({ from: -(limit + 1), limit: limit + 1 });
    const check = new ChainCheck();
    return texts
      .map((text) => check.take(text))
      .slice(texts.length > limit ? 1 : 0)
      .toReversed();
  }

  /** A stretch of the records as they are stored. @param offset - How many to pass over, from the oldest. */
  page(offset: number, limit: number): Promise<AnswerOf<ConsoleApi["exportPeopleAudit"]>> {
    return this.list.readWithHead({ from: offset, limit });
  }
}
