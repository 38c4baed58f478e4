import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll } from "vitest";
import { LocalBlobs } from "#shared/blobs";
import type { FileReference } from "../contracts.ts";

const FILES = new URL("../samples/files/", import.meta.url);

/** A folder of blobs that goes with the file of tests, and the real reader over it, in a process of its own. */
export const dataDir = mkdtempSync(join(tmpdir(), "suture-documents-"));
// The reader is given it.
process.env["SUTURE_DATA_DIR"] = dataDir;
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
export const blobs = new LocalBlobs(join(dataDir, "blobs"), { bytesMax: 1e9, ageMsMax: 3_600_000 });

/** Stores a sample, or bytes under a name, as the gateway would. */
export async function store(
  name: string,
  bytes: Uint8Array = readFileSync(new URL(name, FILES)),
): Promise<FileReference> {
  const facts = await blobs.store({
    content: Readable.from([Buffer.from(bytes)]),
    mimeType: "application/octet-stream",
    bytesMax: 1e8,
    signal: new AbortController().signal,
  });
  return { name, uri: `sha256:${facts.sha256}`, ...facts };
}
