import { z } from "zod";
import type { AnswerOf, ConsoleApi } from "#shared/api";
import { Keyring } from "#shared/envelope/keys";
import { appendRecord, ChainCheck } from "#shared/people";
import type { Deed, JudgedRecord, KnownHead } from "#shared/people";
import type { RecordList } from "#shared/store";
import { maskSecrets } from "../masking/mask-secrets.ts";
import { StateFile } from "../state-file.ts";

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

const memorySchema = z.object({
  count: z.int().min(0),
  digest: z.string(),
  /** A key file of public halves: of every key that this console has signed a record with. */
  keys: z.string().refine(isKeyFile),
});

type Known = z.output<typeof memorySchema>;

/** What a console remembers of the records it wrote, in a file that only it writes. */
class AuditMemory {
  private readonly file: StateFile<Known>;
  private known: Known | null;

  private constructor(file: StateFile<Known>, known: Known | null) {
    this.file = file;
    this.known = known;
  }

  /** A file that is not there, or cannot be read as ours, remembers nothing. */
  static async open(path: string): Promise<AuditMemory> {
    const file = new StateFile(path, memorySchema);
    return new AuditMemory(file, await file.read());
  }

  get head(): KnownHead | null {
    return this.known === null ? null : { count: this.known.count, digest: this.known.digest };
  }

  /** Verifies what was signed with the present keys, and with those that were retired since. */
  keyring(present: Keyring): Keyring {
    const before = this.known === null ? [] : [Keyring.fromJson(this.known.keys)];
    return Keyring.merge([...before, Keyring.fromJson(present.exportPublicJson())]);
  }

  /** @param keyring - With the key that the record was signed with. */
  async remember({ count, digest }: KnownHead, keyring: Keyring): Promise<void> {
    const keys = this.keyring(keyring).exportPublicJson();
    const known = { count, digest, keys };
    this.known = known;
    await this.file.write(() => this.known ?? known);
  }
}

function isKeyFile(text: string): boolean {
  try {
    Keyring.fromJson(text);
    return true;
  } catch {
    return false;
  }
}
