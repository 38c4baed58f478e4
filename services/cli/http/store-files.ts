import { readFileSync, realpathSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { createClient } from "#shared/client";
import type { Client, FileReference } from "#shared/client";
import { CommandRefusedError } from "../errors.ts";
import type { Api } from "./call-api.ts";

/** A gateway that is killed again and again is waited for this long, in ms. */
const RETRY_MS = 90_000;

/** Opens the client of the package, with which commands follow runs and store files. */
export function clientOf({ url, key }: Api): Client {
  return createClient({ url, key, retryForMs: RETRY_MS });
}

/** Field by which lines of samples and labelled cases name a file beside them. */
const FILE = "$file";

export interface FilesToStore {
  /** Folder that `{"$file": "samples/files/a.pdf"}` is read from, and never from outside it: the team's. */
  readonly folder: string;
  /** Keeps a file's content and gives its reference. */
  readonly store: (content: Uint8Array<ArrayBuffer>) => Promise<FileReference>;
}

/** Stores through the gateway, as any client does. */
export function storeThrough(gateway: Api, signal: AbortSignal): FilesToStore["store"] {
  const client = clientOf(gateway);
  return (content) => client.upload(content, { signal });
}

/** Stores files named as `{"$file": "…"}` and puts references there. @throws {CommandRefusedError} No such file. */
export async function storeFiles(input: unknown, to: FilesToStore): Promise<unknown> {
  if (Array.isArray(input)) return Promise.all(input.map((item) => storeFiles(item, to)));
  if (typeof input !== "object" || input === null) return input;
  if (FILE in input && typeof input[FILE] === "string") return storeFile(input[FILE], to);
  const fields = Object.entries(input).map(async ([name, value]): Promise<[string, unknown]> => [
    name,
    await storeFiles(value, to),
  ]);
  return Object.fromEntries(await Promise.all(fields));
}

async function storeFile(name: string, { folder, store }: FilesToStore): Promise<unknown> {
  return { name: basename(name), ...(await store(readWithin(folder, name))) };
}

function readWithin(folder: string, name: string): Uint8Array<ArrayBuffer> {
  try {
    const path = realpathSync(join(folder, name));
    if (path.startsWith(realpathSync(folder) + sep)) return new Uint8Array(readFileSync(path));
  } catch {
    // Said below, as for a file that lies elsewhere.
  }
  throw new CommandRefusedError(`There is no file ${name} in ${folder}.`, "Correct the name after $file.");
}
