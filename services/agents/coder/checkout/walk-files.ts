import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { CheckoutTooLargeError } from "../errors.ts";
import type { CheckoutLimits } from "../limits.ts";
import { isDependency, isHistory } from "./project-path.ts";

export interface ProjectFile {
  /** From the checkout's root, with slashes. */
  readonly path: string;
  readonly bytes: number;
}

export interface Walk {
  readonly root: string;
  readonly limits: CheckoutLimits;
  readonly signal: AbortSignal;
  /** Also what lies in `node_modules`. */
  readonly withDependencies: boolean;
}

/**
 * Every plain file of a checkout, sorted by path. Links are not followed and not listed, nor are sockets and devices:
 * what is listed lies inside.
 *
 * @throws {CheckoutTooLargeError} There are more files than the bound.
 */
export async function walkFiles(walk: Walk): Promise<ProjectFile[]> {
  const { root, limits, signal, withDependencies } = walk;
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
    if (files.length + folders.length > limits.filesMax)
      throw new CheckoutTooLargeError("files", limits.filesMax);
  }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
