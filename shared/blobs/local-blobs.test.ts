import { randomBytes } from "node:crypto";
import { readdir, utimes, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, it, describe } from "vitest";
import { temporaryFolder } from "#shared/testing";
import { BlobDamagedError, BlobsFullError } from "./errors.ts";
import { BlobTypeMismatchError, BlobTypeRefusedError, LocalBlobs, sniffType } from "./index.ts";

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
  expect((await readdir(folder, { recursive: true })).filter((at) => at.includes(old.sha256))).toEqual([]);
});

async function open() {
  const folder = temporaryFolder();
  const blobs = new LocalBlobs(folder, { bytesMax: 1e9, ageMsMax: 3_600_000 });
  const store = (content: Buffer) =>
    blobs.store({
      content: Readable.from([content]),
      mimeType: "text/plain",
      bytesMax: 1e8,
      signal: new AbortController().signal,
    });
  return { blobs, store, pathOf: (id: string) => join(folder, id.slice(0, 2), id) };
}

/** Returns the bytes of a content up to its end or failure. */
async function drained(content: Readable): Promise<{ bytes: number; error: unknown }> {
  let bytes = 0;
  try {
    for await (const chunk of content) bytes += (chunk as Buffer).length;
    return { bytes, error: null };
  } catch (error) {
    return { bytes, error };
  }
}

const DAMAGES: Readonly<Record<string, (path: string) => Promise<void>>> = {
  "with another last byte": async (path) => {
    const bytes = await readFile(path);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    await writeFile(path, bytes);
  },
  "with another first byte": async (path) => {
    const bytes = await readFile(path);
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    await writeFile(path, bytes);
  },
  "cut off": (path) => truncate(path, 10),
  emptied: (path) => truncate(path, 0),
  "made longer": async (path) => writeFile(path, Buffer.concat([await readFile(path), Buffer.from("x")])),
  "with facts that are no JSON": (path) => writeFile(`${path}.json`, "{"),
  "with facts of another length": async (path) =>
    writeFile(`${path}.json`, (await readFile(`${path}.json`, "utf8")).replace(/"bytes":\d+/, '"bytes":7')),
  "with another's facts": (path) =>
    writeFile(`${path}.json`, JSON.stringify({ sha256: "0".repeat(64), bytes: 1, mime_type: "a/b" })),
};

describe.each([
  ["a short content", 1000],
  ["a long content", 3_000_000],
])("%s", (_, length) => {
  it.each(Object.entries(DAMAGES))(
    "%s is not given out, and is mended by storing it again",
    async (__, damage) => {
      const { blobs, store, pathOf } = await open();
      const content = randomBytes(length);
      const { sha256 } = await store(content);
      await damage(pathOf(sha256));
      await expect(blobs.read(sha256, 1e8)).rejects.toBeInstanceOf(BlobDamagedError);
      const found = await blobs.find(sha256).catch((error: unknown) => error);
      if (!(found instanceof BlobDamagedError)) {
        const { content: stream } = found as { content: Readable };
        const came = await drained(stream);
        expect(came.error).toBeInstanceOf(BlobDamagedError);
        expect(came.bytes).toBeLessThan(length);
      }
      await store(content);
      expect((await blobs.read(sha256, 1e8))?.equals(content)).toBe(true);
    },
  );
});

it("gives whole what nobody has changed, also nothing at all", async () => {
  const { blobs, store } = await open();
  for (const content of [Buffer.alloc(0), randomBytes(1), randomBytes(1024 * 1024 + 1)]) {
    const { sha256 } = await store(content);
    expect((await blobs.read(sha256, 1e8))?.equals(content)).toBe(true);
    expect(await drained((await blobs.find(sha256))?.content ?? Readable.from([]))).toEqual({
      bytes: content.length,
      error: null,
    });
  }
});

const bytes = (text: string): Buffer => Buffer.from(text, "latin1");

it.each([
  ["image/png", "\x89PNG\r\n\x1a\n...."],
  ["image/jpeg", "\xff\xd8\xff\xe0"],
  ["application/pdf", "\n%PDF-1.7\n"],
  ["application/xml", '\xef\xbb\xbf<?xml version="1.0"?><Invoice/>'],
  ["application/vnd.microsoft.portable-executable", `MZ\x90\0${"\0".repeat(80)}`],
  ["application/x-executable", "\x7fELF\x02"],
  ["text/x-script", "#!/bin/sh\nrm -rf /"],
  [null, "MZ is how this character begins, and it goes on for more than sixty-four letters of text."],
  [null, ""],
])("says %s of bytes that begin so", (type, text) => {
  expect(sniffType(bytes(text))).toBe(type);
});

it("answers for any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (head) => {
      expect(["string", "object"]).toContain(typeof sniffType(head));
    }),
  );
});

it("stores nothing of a program or of what is said to be something else, and names by the bytes what is not said", async () => {
  const folder = temporaryFolder();
  const blobs = new LocalBlobs(folder, { bytesMax: 10_000, ageMsMax: 3_600_000 });
  const store = (text: string, mimeType: string) =>
    blobs.store({
      content: Readable.from([bytes(text.slice(0, 2)), bytes(text.slice(2))]),
      mimeType,
      bytesMax: 1000,
      signal: new AbortController().signal,
    });
  await expect(store("\x7fELF\x02", "application/pdf")).rejects.toBeInstanceOf(BlobTypeRefusedError);
  await expect(store("%PDF-1.7", "image/png")).rejects.toBeInstanceOf(BlobTypeMismatchError);
  await expect(store("GIF89a", "application/pdf")).rejects.toMatchObject({ paths: ["/content-type"] });
  expect(await store("%PDF-1.7", "application/octet-stream")).toMatchObject({ mime_type: "application/pdf" });
  const told = await store("a,b\n1,2\n", "text/csv");
  expect(told.mime_type).toBe("text/csv");
  expect((await blobs.read(told.sha256, 100))?.toString()).toBe("a,b\n1,2\n");
  await expect(blobs.read(told.sha256, 7)).rejects.toMatchObject({ code: "BODY_TOO_LARGE" });
});
