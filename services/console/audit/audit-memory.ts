import { z } from "zod";
import { Keyring } from "#shared/envelope/keys";
import type { KnownHead } from "#shared/people";
import { StateFile } from "../state-file.ts";

const memorySchema = z.object({
  count: z.int().min(0),
  digest: z.string(),
  /** A key file of public halves: of every key that this console has signed a record with. */
  keys: z.string().refine(isKeyFile),
});

type Known = z.output<typeof memorySchema>;

/** What a console remembers of the records it wrote, in a file that only it writes. */
export class AuditMemory {
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
