import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { Keyring } from "#shared/envelope";
import type { KnownHead } from "#shared/people";

const memorySchema = z.object({
  count: z.int().min(0),
  digest: z.string(),
  /** A key file of public halves: of every key that this console has signed a record with. */
  keys: z.string(),
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
    const text = await readFile(file, "utf8").catch(() => "null");
    return new AuditMemory(file, read(text));
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
    await mkdir(dirname(this.file), { recursive: true, mode: 0o700 });
    await writeFile(`${this.file}.new`, JSON.stringify(this.known), { mode: 0o600 });
    await rename(`${this.file}.new`, this.file);
  }
}

function read(text: string): z.output<typeof memorySchema> | null {
  try {
    const known = memorySchema.parse(JSON.parse(text));
    Keyring.fromJson(known.keys);
    return known;
  } catch {
    return null;
  }
}
