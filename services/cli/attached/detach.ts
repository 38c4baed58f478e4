import { open } from "node:fs/promises";
import { CommandRefusedError } from "../errors.ts";
import { write } from "../print/print-answer.ts";
import { withWard } from "./with-ward.ts";
import type { AttachOptions } from "./with-ward.ts";

/**
 * Writes all cases to a new file that only its owner can read, as JSON lines, and deletes the ward's keys when the file
 * is on disk.
 */
export async function detach(options: AttachOptions & { readonly export: string }): Promise<void> {
  const file = await open(options.export, "wx", 0o600).catch((error: unknown) => {
    const why = error instanceof Error && "code" in error && error.code === "EEXIST";
    throw new CommandRefusedError(
      why ? `${options.export} is there already.` : `${options.export} cannot be written.`,
      "Name a new file; nothing was deleted.",
    );
  });
  try {
    let lines = 0;
    const add = async (line: object): Promise<void> => {
      await file.appendFile(`${JSON.stringify(line)}\n`);
      lines += 1;
    };
    await withWard(options, (ward) =>
      ward.detach({
        onCase: (jobCase, original) => add({ kind: "failed", ...jobCase, original }),
        onKept: (kept) => add({ kind: "kept", ...kept }),
        onAll: () => file.sync(),
      }),
    );
    write(
      `Detached from ${options.queue}. ${lines} cases are in ${options.export}; the jobs stay as they are.`,
    );
  } finally {
    await file.close();
  }
}
