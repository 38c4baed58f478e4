import { z } from "zod";
import { Keyring } from "#shared/envelope/keys";
import type { KnownHead } from "#shared/people";
import { readState, writeState } from "../state-file.ts";

const memorySchema = z.object({
  count: z.int().min(0),
  digest: z.string(),
  /** A key file of public halves: of every key that this console has signed a record with. */
  keys: z.string().refine(isKeyFile),
});

/** What a console remembers of the records it wrote, in a file that only it writes. */
export class AuditMemory {
  private readonly file: string;
  private known: z.output<typeof memorySchema> | null;

  private constructor(file: string, known: AuditMemory["known"]) {
    this.file = file;
    this.known = known;
  }

  /** A file that is not there, or cannot be read as ours, remembers nothing. */
  static async open(file: string): Promise<AuditMemory> {
    return new AuditMemory(file, await readState(file, memorySchema));
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
    this.known = { count, digest, keys };
    await writeState(this.file, this.known);
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
