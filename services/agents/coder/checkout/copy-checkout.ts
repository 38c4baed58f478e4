import { constants } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CheckoutTooLargeError } from "../errors.ts";
import type { CheckoutLimits } from "../limits.ts";
import { walkFiles } from "./walk-files.ts";
import type { ProjectFile } from "./walk-files.ts";

export interface Copy {
  readonly from: string;
  /** Made when missing; should be empty. */
  readonly to: string;
  readonly limits: CheckoutLimits;
  readonly signal: AbortSignal;
}

/**
 * Copies a checkout's plain files, dependencies included, history and links left out: nothing in the copy leads
 * back to the original.
 *
 * @throws {CheckoutTooLargeError} before anything is written.
 */
export async function copyCheckout({ from, to, limits, signal }: Copy): Promise<ProjectFile[]> {
  const files = await walkFiles({ root: from, limits, signal, withDependencies: true });
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > limits.bytesMax) throw new CheckoutTooLargeError("bytes", limits.bytesMax);
  await mkdir(to, { recursive: true });
  for (const folder of new Set(files.map(({ path }) => dirname(join(to, path))))) {
    await mkdir(folder, { recursive: true });
  }
  for (const { path } of files) {
    signal.throwIfAborted();
    await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE);
  }
  return files;
}
