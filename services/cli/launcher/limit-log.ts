import { copyFileSync, statSync, truncateSync } from "node:fs";

/**
 * Sets a log aside as `<file>.1`, in place of the one before, once it has grown beyond `bytesMax`. Its process goes on
 * writing at the new start, because it appends; lines of the moment between copying and cutting are lost. A folder that
 * cannot be written now is tried again next time.
 *
 * @returns Whether it was set aside.
 */
export function limitLog(file: string, bytesMax: number): boolean {
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= bytesMax) return false;
    copyFileSync(file, `${file}.1`);
    truncateSync(file, 0);
    return true;
  } catch {
    return false;
  }
}
