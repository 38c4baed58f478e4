import { existsSync } from "node:fs";
import { link, open, rename, rm } from "node:fs/promises";
import type { BullmqWard } from "#shared/bullmq-ward";
import { CommandRefusedError } from "../errors.ts";
import { write } from "../print/print-answer.ts";

/**
 * Writes all cases to a new file that only its owner can read, as JSON lines, and deletes the ward's keys when the file
 * is on disk. The file appears when it is complete: what fails or is killed before leaves none of this name.
 */
export async function detach(
  ward: BullmqWard,
  { export: target, queue }: { readonly export: string; readonly queue: string },
): Promise<void> {
  if (existsSync(target)) throw refused(`${target} is there already.`);
  const partial = `${target}.${process.pid}.partial`;
  const file = await open(partial, "wx", 0o600).catch(() => {
    throw refused(`${target} cannot be written.`);
  });
  try {
    let lines = 0;
    const add = async (line: object): Promise<void> => {
      await file.appendFile(`${JSON.stringify(line)}\n`);
      lines += 1;
    };
    await ward.detach({
      onCase: (jobCase, original) => add({ kind: "failed", ...jobCase, original }),
      onKept: (kept) => add({ kind: "kept", ...kept }),
      onAll: async () => {
        await file.sync();
        await publish(partial, target);
      },
    });
    write(`Detached from ${queue}. ${lines} cases are in ${target}; the jobs stay as they are.`);
  } finally {
    await file.close();
    await rm(partial, { force: true });
  }
}

/** Gives a complete file its name, and overwrites none. */
async function publish(partial: string, target: string): Promise<void> {
  await link(partial, target).catch(async () => {
    if (existsSync(target)) throw refused(`${target} is there already.`);
    // A file system without hard links.
    await rename(partial, target);
  });
}

function refused(problem: string): CommandRefusedError {
  return new CommandRefusedError(problem, "Name a new file; nothing was deleted.");
}
