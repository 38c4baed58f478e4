import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { temporaryFolder } from "#shared/testing";
import { BlobsFullError } from "./errors.ts";
import { LocalBlobs } from "./local-blobs.ts";

const HOUR_MS = 3_600_000;

async function folderOf(): Promise<string> {
  const folder = temporaryFolder();
  return folder;
}

function blob(text: string) {
  return {
    content: Readable.from([Buffer.from(text)]),
    mimeType: "text/plain",
    bytesMax: 1000,
    signal: new AbortController().signal,
  };
}

/** Sets back when every file was last written. */
async function age(folder: string, byMs: number): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const at = new Date(Date.now() - byMs);
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), at, at);
  }
}

it("keeps no more bytes than it may, counts what an earlier process left, and stores again what it has", async () => {
  const folder = await folderOf();
  // Facts are counted too, once they are on the disk: 128 bytes or so each.
  const keeping = { bytesMax: 900, ageMsMax: HOUR_MS };
  await new LocalBlobs(folder, keeping).store(blob("a".repeat(400)));
  const blobs = new LocalBlobs(folder, keeping);
  await expect(blobs.store(blob("b".repeat(500)))).rejects.toBeInstanceOf(BlobsFullError);
  const again = await blobs.store(blob("a".repeat(400)));
  expect(await blobs.find(again.sha256)).not.toBeNull();
  await age(folder, 2 * HOUR_MS);
  await blobs.retire();
  expect(await blobs.find(again.sha256)).toBeNull();
  await blobs.store(blob("b".repeat(500)));
});

it("removes what has reached its age and what crashes left, but not what was stored again", async () => {
  const folder = await folderOf();
  const blobs = new LocalBlobs(folder, { bytesMax: 10_000, ageMsMax: HOUR_MS });
  const old = await blobs.store(blob("old"));
  const used = await blobs.store(blob("used"));
  await age(folder, 2 * HOUR_MS);
  await blobs.store(blob("used"));
  await blobs.retire();
  expect(await blobs.find(old.sha256)).toBeNull();
  const found = await blobs.find(used.sha256);
  expect(found?.facts.bytes).toBe(4);
  found?.content.destroy();
  expect((await readdir(folder, { recursive: true })).filter((name) => name.includes(old.sha256))).toEqual(
    [],
  );
});
