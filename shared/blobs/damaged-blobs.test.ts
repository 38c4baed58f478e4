import { randomBytes } from "node:crypto";
import { readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "#shared/testing";
import { BlobDamagedError, LocalBlobs } from "./index.ts";

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

/** What came of a content before it ended or failed. */
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
