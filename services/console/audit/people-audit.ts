import type { AnswerOf, ConsoleApi } from "#shared/api";
import type { Keyring } from "#shared/envelope/keys";
import { appendRecord, ChainCheck } from "#shared/people";
import type { Deed, JudgedRecord } from "#shared/people";
import type { RecordList } from "#shared/store";
import { maskSecrets } from "../masking/mask-secrets.ts";
import { AuditMemory } from "./audit-memory.ts";

const WHY_CHARS_MAX = 2000;

/** Writes down what people do before it is done, one record after the other, and remembers the last one. */
export class PeopleAudit {
  private readonly list: RecordList;
  private readonly memory: AuditMemory;
  private readonly keyring: Keyring;
  private writing: Promise<unknown> = Promise.resolve();

  private constructor(parts: { list: RecordList; memory: AuditMemory; keyring: Keyring }) {
    this.list = parts.list;
    this.memory = parts.memory;
    this.keyring = parts.keyring;
  }

  /** @param parts.file - Where the last record is remembered, out of Redis' reach. */
  static async open(parts: {
    readonly list: RecordList;
    readonly keyring: Keyring;
    readonly file: string;
  }): Promise<PeopleAudit> {
    return new PeopleAudit({ ...parts, memory: await AuditMemory.open(parts.file) });
  }

  /** Whether this console can write anything down. */
  get canSign(): boolean {
    return this.keyring.canSign("console", "ward");
  }

  /**
   * @returns The number of the record.
   * @throws {SigningKeyMissingError} This console has no key to sign with.
   * @throws {RecordsBusyError} Others wrote first, every time.
   */
  async write(deed: Deed): Promise<number> {
    const { keyring, list, memory } = this;
    // Masked before it is signed: what is shown afterwards is what was signed.
    const masked = maskSecrets({ ...deed, why: deed.why.slice(0, WHY_CHARS_MAX) }) as Deed;
    const written = this.writing.then(async () => {
      const head = await appendRecord(list, masked, { keyring, remembered: memory.head });
      await memory.remember(head, keyring);
      return head.count;
    });
    this.writing = written.catch(() => undefined);
    return written;
  }

  /** The newest first, each held against the one before it. */
  async newest(limit: number): Promise<JudgedRecord[]> {
    // One more, to hold the oldest of them against.
    const texts = await this.list.read({ from: -(limit + 1), limit: limit + 1 });
    const check = new ChainCheck(this.memory.keyring(this.keyring));
    return texts
      .map((text) => check.take(text))
      .slice(texts.length > limit ? 1 : 0)
      .toReversed();
  }

  /** A stretch of the records as they are stored. @param offset - How many to pass over, from the oldest. */
  async page(offset: number, limit: number): Promise<AnswerOf<ConsoleApi["exportPeopleAudit"]>> {
    // Before the read: what is written meanwhile is not missing.
    const remembered = this.memory.head;
    const { records, head } = await this.list.readWithHead({ from: offset, limit });
    return {
      records,
      head,
      remembered,
      keys: this.memory.keyring(this.keyring).exportPublicJson(),
    };
  }
}
