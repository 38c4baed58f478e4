import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { LocalBlobs } from "#shared/blobs";
import { temporaryFolder } from "#shared/testing";
import type { FileReference } from "../contracts.ts";

const FILES = new URL("../samples/files/", import.meta.url);

export interface TestLibrary {
  readonly dataDir: string;
  readonly blobs: () => LocalBlobs;
  /** Stores a sample, or bytes under a name, as the gateway would. */
  store(name: string, bytes?: Uint8Array): Promise<FileReference>;
}

export function openLibrary(): TestLibrary {
  const dataDir = temporaryFolder();
  const blobs = new LocalBlobs(join(dataDir, "blobs"), { bytesMax: 1e9, ageMsMax: 3_600_000 });
  return {
    dataDir,
    blobs: () => blobs,
    async store(name, bytes = readFileSync(new URL(name, FILES))) {
      const facts = await blobs.store({
        content: Readable.from([Buffer.from(bytes)]),
        mimeType: "application/octet-stream",
        bytesMax: 1e8,
        signal: new AbortController().signal,
      });
      return { name, uri: `sha256:${facts.sha256}`, ...facts };
    },
  };
}
