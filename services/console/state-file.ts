import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { z } from "zod";

/** A JSON file of this console's own, readable by its owner alone. Only one `StateFile` may write it. */
export class StateFile<State> {
  private readonly file: string;
  private readonly schema: z.ZodType<State>;
  private written: string | null = null;
  private writing: Promise<void> = Promise.resolve();

  constructor(file: string, schema: z.ZodType<State>) {
    this.file = file;
    this.schema = schema;
  }

  /** Reads what was written last; null where the file is not there or has another form. */
  async read(): Promise<State | null> {
    try {
      return this.schema.parse(JSON.parse(await readFile(this.file, "utf8")));
    } catch {
      return null;
    }
  }

  /**
   * Writes the state in one step, so that a reader finds the one before or this one.
   *
   * Writes run one after another: a request and an interval write the same file, and share the name that it has until
   * it is whole.
   * @param current - Asked when the writes before have ended.
   */
  write(current: () => State): Promise<void> {
    const written = this.writing.then(() => this.replace(JSON.stringify(current())));
    // Whoever asked learns of a failure; the next write does not fail for it.
    this.writing = written.catch(() => undefined);
    return written;
  }

  private async replace(text: string): Promise<void> {
    if (text === this.written) return;
    await mkdir(dirname(this.file), { recursive: true, mode: 0o700 });
    await writeFile(`${this.file}.new`, text, { mode: 0o600 });
    await rename(`${this.file}.new`, this.file);
    this.written = text;
  }
}
