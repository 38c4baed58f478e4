import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, it } from "vitest";
import { temporaryFolder } from "#shared/testing";
import { BlobTypeMismatchError, BlobTypeRefusedError, LocalBlobs, sniffType } from "./index.ts";

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
