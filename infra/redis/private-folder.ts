import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { FolderForeignError } from "./errors.ts";

/** Permission bits of the owner, and of all others. */
const OWN = 0o700;
const OTHERS = 0o077;

/**
 * Makes a folder, and what is missing above it, for this user alone, whatever the umask; narrows one of ours that
 * others could enter. Where there are no such modes (Windows) it is only made.
 *
 * @returns Whether it had to be narrowed.
 * @throws {FolderForeignError} It belongs to another user.
 */
export function openPrivateFolder(folder: string): boolean {
  mkdirSync(folder, { recursive: true, mode: OWN });
  if (process.geteuid === undefined) return false;
  const { uid, mode } = statSync(folder);
  if (uid !== process.geteuid()) throw new FolderForeignError(folder);
  if ((mode & 0o777) === OWN) return false;
  chmodSync(folder, OWN);
  return (mode & OTHERS) !== 0;
}

/** Removes other users' permissions below our folder. Does not follow links. */
export function narrowBelow(folder: string): void {
  if (process.geteuid === undefined) return;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    if ((entry.isFile() || entry.isDirectory()) && (mode & OTHERS) !== 0) chmodSync(path, mode & OWN);
  }
}
