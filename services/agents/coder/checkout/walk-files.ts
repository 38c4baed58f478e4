import { readdir, stat, copyFile, mkdir } from "node:fs/promises";
import { join, dirname } from "node:path";
import { constants } from "node:fs";
import { CheckoutTooLargeError } from "../errors.ts";
import { CHECKOUT_LIMITS } from "../limits.ts";
import { isDependency, isHistory } from "./project-path.ts";

export interface ProjectFile {
  /** From the checkout's root, with slashes. */
  readonly path: string;
  readonly bytes: number;
}

interface Walk {
  readonly root: string;
  readonly signal: AbortSignal;
  /** Also what lies in `node_modules`. Default: false. */
  readonly withDependencies?: boolean;
  /** Default: `CHECKOUT_LIMITS`. */
  readonly filesMax?: number;
}

/**
 * Every plain file of a checkout, sorted by path. Links are not followed and not listed, nor are sockets and devices:
 * what is listed lies inside.
 *
 * @throws {CheckoutTooLargeError} There are more files than the bound.
 */
export async function walkFiles(walk: Walk): Promise<ProjectFile[]> {
  const { root, signal, withDependencies = false, filesMax = CHECKOUT_LIMITS.filesMax } = walk;
  const files: ProjectFile[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    signal.throwIfAborted();
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    for (const entry of entries) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (isHistory(path) || (!withDependencies && isDependency(path))) continue;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) files.push({ path, bytes: (await stat(join(root, path))).size });
    }
    if (files.length + folders.length > filesMax) throw new CheckoutTooLargeError("files", filesMax);
  }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

interface Copy {
  readonly from: string;
  /** Made when missing; should be empty. */
  readonly to: string;
  /** Of all files. Default: `CHECKOUT_LIMITS`. */
  readonly bytesMax?: number;
  readonly signal: AbortSignal;
}

/**
 * Copies a checkout's plain files, dependencies included, history and links left out: nothing in the copy leads
 * back to the original.
 *
 * @throws {CheckoutTooLargeError} before anything is written.
 */
export async function copyCheckout({
  from,
  to,
  bytesMax = CHECKOUT_LIMITS.bytesMax,
  signal,
}: Copy): Promise<ProjectFile[]> {
  const files = await walkFiles({ root: from, signal, withDependencies: true });
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > bytesMax) throw new CheckoutTooLargeError("bytes", bytesMax);
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
